#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/check-docs finds what is planted in a copy of the tree.
# shellcheck disable=SC2016 # dollars of sed, and Markdown's
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh

tree=$work/tree
page=docs/man/xen-hctrace.4

fresh()
{
	rm -rf "$tree"
	mkdir -p "$tree"
	scripts/sources | grep -E '^(docs|module|include|scripts|rpm|tests/data|[^/]*$)' | cpio --quiet -pdm "$tree"
}

# plant FILE EXPRESSION: a change by sed
plant()
{
	fresh
	sed -i "$2" "$tree/$1"
	! cmp -s "$1" "$tree/$1" || not_ok "nothing was planted in $1"
}

finds() { what=$1 text=$2; says "$what" 1 "$text" scripts/check-docs "$tree"; }

fresh
says "nothing is wrong with the tree" 0 "check-docs: clean" scripts/check-docs "$tree"

plant README.md '$a [gone](docs/gone.md)'
finds "a link to a file" "README.md: a link to docs/gone.md leads nowhere"
plant docs/abi.md '$a [gone](trust.md#no-such-heading)'
finds "a link to a heading" "docs/abi.md: a link to trust.md#no-such-heading, and no heading is that"
plant docs/abi.md '$a [there](trust.md#the-breaker), and `[not](a link)` in code'
says "a heading that is there, and code" 0 "check-docs: clean" scripts/check-docs "$tree"
plant docs/man/hctrace.1 's/^\.Xr hctrace-stat 1 ,/.Xr hctrace-gone 1 ,/'
finds "a page refers to none of ours" "docs/man/hctrace.1: there is no hctrace-gone.1"

plant module/main.c 's/^MODULE_PARM_DESC(poll_ms,.*/MODULE_PARM_DESC(poll_ms, "how often (default 50)");/'
finds "another default, the page" "only $page has 'poll_ms 100'"
finds "another default, the module" "$page lacks 'poll_ms 50'"
plant module/main.c '/^MODULE_PARM_DESC(user_share/d'
finds "a parameter without a word in the module" "only $page has 'user_share 50'"
plant module/main.c '$a module_param(new_one, uint, 0444);'
finds "a parameter without a word at all" "$page lacks 'new_one '"
plant $page '/^\.It Cm readers_max/d'
finds "a parameter that the page lacks" "$page lacks 'readers_max 64'"
plant module/files/debugfs.c 's/"multicalls", 0400/"batches", 0400/'
finds "a file in debugfs" "$page lacks 'batches'"
plant include/hctrace/control.h 's/^ \*   breaker on|off/ *   breaker on|off|half/'
finds "a setting" "$page lacks 'breaker on|off|half'"
plant module/tracing.c 's/this is not the dom0 of a Xen host/this is no dom0/'
finds "a line of the log" "the module never says 'this is not the dom0 of a Xen host'"
says "there is nothing to look at" 1 "there is no docs/man/xen-hctrace.4" scripts/check-docs "$work"
finish
