/* SPDX-License-Identifier: GPL-2.0 */
/* What Xen itself says, through libxenctrl. */
#ifndef HCTRACE_DOCTOR_XEN_H
#define HCTRACE_DOCTOR_XEN_H

/**
 * doctor_note_xen() - the scheduler, how idle pCPUs were, and what Xen's log has on tracing
 *
 * Says nothing where there is no libxenctrl.
 */
void doctor_note_xen(void);

#endif /* HCTRACE_DOCTOR_XEN_H */
