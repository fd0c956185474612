/* SPDX-License-Identifier: GPL-2.0 */
/* Figures as JSON: the same keys wherever they are written. */
#ifndef HCTRACE_SHOW_JSON_H
#define HCTRACE_SHOW_JSON_H

#include <cjson/cJSON.h>

#include "base/domname.h"
#include "live/statsfile.h"

/** json_add_domain() - whose: dom, and domid, name, UUID and vCPUs as far as they are known */
void json_add_domain(struct cJSON *to, const struct dom_id *dom, const struct domname *what);

/** json_add_row() - kind, op and figures of a row; units if they apply */
void json_add_row(struct cJSON *to, const struct stats_row *row);

/** json_add_multicalls() - a domain's multicalls, with their sizes */
void json_add_multicalls(struct cJSON *to, const struct batch_row *row);

#endif /* HCTRACE_SHOW_JSON_H */
