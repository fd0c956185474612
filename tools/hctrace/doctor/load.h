/* SPDX-License-Identifier: GPL-2.0 */
/* Why the module is not loaded. */
#ifndef HCTRACE_DOCTOR_LOAD_H
#define HCTRACE_DOCTOR_LOAD_H

/** doctor_explain_load() - say it: one trouble */
void doctor_explain_load(void);

#endif /* HCTRACE_DOCTOR_LOAD_H */
