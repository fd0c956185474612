# SPDX-License-Identifier: GPL-2.0
# What installs us on a host: DKMS, Debian's packages, an RPM.
#
#   make packages-check       tests/packages/*.t, each in a Debian of its own, which is made anew from the machine's
#                             mirror and thrown away; a part of check-deep. It takes a few minutes.
#   make deb                  Debian's packages in build/deb/, built in the same way
#   make rpm                  RPMs in build/rpm/
#
# A test inside/NAME.sh runs in a small Debian, as its root; a .t file says in which, with which files. `root` makes
# these, and `in-root` runs something in a copy of one. What they are made of stays in build/packages/; to have
# newer packages in them, delete that.

PACKAGES_TESTS ?= $(wildcard tests/packages/*.t)

.PHONY: packages-check packages-need deb rpm
packages-need:
	@scripts/need-packages tests/packages/host-packages

packages-check: packages-need
	prove --failures --comments $(if $(filter -j%,$(MAKEFLAGS)),,-j2) $(PACKAGES_TESTS)

deb rpm: packages-need
	tests/packages/build $@ $(BUILD)/$@
