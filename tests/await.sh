# SPDX-License-Identifier: GPL-2.0
# For the tests of the tool and for those inside a machine, each of which has its not_ok().
# shellcheck shell=sh

# await COMMAND...: until it succeeds; half a minute at most, for a busy host
await()
{
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		if [ $tries -gt 300 ]; then
			not_ok "it comes about within half a minute: $*"
			return 1
		fi
		sleep 0.1
	done
}
