/* SPDX-License-Identifier: GPL-2.0 */
/* Names and types of domains, as libxenstore and libxenctrl tell them. */
#ifndef HCTRACE_XSNAMES_H
#define HCTRACE_XSNAMES_H

/**
 * xsnames_serve() - the asking process: write all names at each change, for ever
 * @fd: where to; for each domain "ID TYPE VCPUS UUID" and its name, then an empty string.
 *	A name may have any bytes but 0, which ends each of these
 *
 * Return: if there is nobody to be asked, neither xenstored nor Xen.
 */
void xsnames_serve(int fd);

#endif /* HCTRACE_XSNAMES_H */
