// SPDX-License-Identifier: GPL-2.0
/*
 * VIRQ_TBUF. Xen lets a domain bind it once, so holding it is what makes us the
 * one consumer: stock xentrace binds it first and gives up if it cannot.
 *
 * bind_virq_to_irqhandler() must not be used: when the VIRQ is bound already it
 * looks the port up and takes it over from the process that owns it, and later
 * closes it under its feet. So the VIRQ is bound by hand, as
 * drivers/xen/evtchn.c does it for its users.
 */
#include <linux/errno.h>
#include <linux/interrupt.h>
#include <asm/xen/hypercall.h>
#include <xen/events.h>
#include <xen/interface/event_channel.h>
#include <xen/interface/xen.h>

#include "hypervisor.h"

static int tbuf_irq = -1;
static void (*wake_drain)(void);

static irqreturn_t tbuf_interrupt(int irq, void *dev)
{
	wake_drain();
	return IRQ_HANDLED;
}

/*
 * Close the port of a VIRQ that could not be made an interrupt. Depending on where that
 * failed Linux has closed it already, and then the number may be somebody else's by now.
 */
static void hct_virq_close(evtchn_port_t port)
{
	struct evtchn_status status = { .dom = DOMID_SELF, .port = port };
	struct evtchn_close close = { .port = port };

	if (!HYPERVISOR_event_channel_op(EVTCHNOP_status, &status) &&
	    status.status == EVTCHNSTAT_virq && status.u.virq == VIRQ_TBUF)
		HYPERVISOR_event_channel_op(EVTCHNOP_close, &close);
}

int hct_hyp_claim(void (*wake)(void))
{
	/* A global VIRQ is delivered to vCPU 0, Xen takes no other. */
	struct evtchn_bind_virq bind = { .virq = VIRQ_TBUF, .vcpu = 0 };
	int rc;

	rc = HYPERVISOR_event_channel_op(EVTCHNOP_bind_virq, &bind);
	if (rc)
		return rc == -EEXIST ? -EBUSY : rc;

	wake_drain = wake;
	rc = bind_evtchn_to_irqhandler(bind.port, tbuf_interrupt, 0, "xen-hctrace", NULL);
	if (rc < 0) {
		hct_virq_close(bind.port);
		return rc;
	}
	tbuf_irq = rc;
	return 0;
}

void hct_hyp_release(void)
{
	if (tbuf_irq < 0)
		return;
	/* Waits for a running handler, and closes the port. */
	unbind_from_irqhandler(tbuf_irq, NULL);
	tbuf_irq = -1;
}
