#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What bash offers for hctrace, and that its manual pages know its options.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh
# shellcheck source=tools/completion/hctrace.bash
. tools/completion/hctrace.bash

# offers WORD...: the candidates for the last one
offers()
{
	COMP_WORDS=("$HCTRACE" "$@") COMP_CWORD=$#
	_hctrace
	printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' '
}

is "verbs by their beginning" "$(offers sta)" "stat "
is "an option" "$(offers top --del)" "--delay "
is "options" "$(offers stat --)" \
	"--csv --domain --duration --help --interval --json --op --output --usage "
is "sort keys" "$(offers top -s)$(offers top -s '')" " batches calls cont members name records size "
is "a sort key, in bash's words" "$(offers top --sort = m)" "members "
is "a command" "$(offers stat -- mktem)" "mktemp "
is "a file" "$(offers stat -o COPY)" "COPYING "

# Each verb's manual page, where a package would have it.
make --no-print-directory tool-install DESTDIR="$work/dest" prefix=/usr >"$work/output" 2>&1 ||
	diag <"$work/output"
for verb in $("$HCTRACE" --help | awk '/^  [a-z]+ / { print $1 }'); do
	page=$work/dest/usr/share/man/man1/hctrace-$verb.1
	is "hctrace $verb has a manual page that says its options" "$(
		[ ! -f "$page" ] && echo no page
		"$HCTRACE" "$verb" --help | grep -oE '^ +(-[a-zA-Z?], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' |
			while read -r option; do
				case $option in --help | --usage) continue ;; esac
				grep -q "Fl Fl ${option#--}\b" "$page" || echo "$option"
			done)" ""
done
finish
