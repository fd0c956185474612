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
is "sort keys" "$(offers top -s)$(offers top -s '')" " batches calls cont cpu members name percpu records size "
is "a sort key, in bash's words" "$(offers top --sort = m)" "members "
is "a command" "$(offers stat -- mktem)" "mktemp "
is "a file" "$(offers stat -o COPY)" "COPYING "
is "a recording" "$(offers report COPY)" "COPYING "
is "a verb to be helped with" "$(offers help sta)" "stat "
is "ops" "$(offers report --op vcpu_op/is)$(offers report --op = mmuex)" "vcpu_op/is_up mmuext_op "
is "fields" "$(offers script -F n)" "name "

# What bash makes of it: typed in a shell of its own, whose line is read back with the command it runs.
mkdir "$work/files" "$work/files/a folder"
touch "$work/files/a folder/my trace.bin"
# typed KEYS: what the shell runs when these keys are typed
typed()
{
	tmux -L "hctrace-$$" -f /dev/null new-session -d -x 200 -y 20 "cd '$work/files' && PS1='> ' exec bash --norc -i"
	tmux -L "hctrace-$$" send-keys ". '$PWD/tools/completion/hctrace.bash'; hctrace() { printf '<%s>' \"\$@\"; echo; }" Enter "$@" Enter
	await sh -c "tmux -L hctrace-$$ capture-pane -p | grep -q '^<'" || :
	tmux -L "hctrace-$$" capture-pane -p | grep '^<'
	tmux -L "hctrace-$$" kill-server
}
is "into a folder, and blanks are escaped" "$(typed 'hctrace report a' Tab m Tab)" "<report><a folder/my trace.bin>"
is "... of an option" "$(typed 'hctrace stat -o a' Tab m Tab)" "<stat><-o><a folder/my trace.bin>"
is "... in quotes" "$(typed 'hctrace script "a f' Tab)" '<script><a folder/>'

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
	is "... and no others" "$("$HCTRACE" "$verb" --help >"$work/help"
		sed -n 's/^\.It \(Fl .*\)/\1/p' "$page" | grep -oE 'Fl (Fl )?[A-Za-z0-9-]+' |
			sed 's/^Fl Fl /--/; s/^Fl /-/' | while read -r option; do
				grep -qE -e "^ +(-[a-zA-Z?], )?$option([=,[ ]|\$)" "$work/help" || echo "$option"
			done)" ""
done

# --- the first words ---

is "-V" "$("$HCTRACE" -V)" "$("$HCTRACE" --version)"
"$HCTRACE" --help >"$work/help"
is "help, -h" "$("$HCTRACE" help | cmp - "$work/help"; "$HCTRACE" -h | cmp - "$work/help")" ""
while read -r verb; do
	"$HCTRACE" "$verb" --help >"$work/help.verb"
	is "help $verb, $verb -h" "$("$HCTRACE" help "$verb" | cmp - "$work/help.verb"
		"$HCTRACE" "$verb" -h | cmp - "$work/help.verb")" ""
done < <(awk '/^  [a-z]+ / { print $1 }' "$work/help")
says "help of no verb" 2 "no verb 'bogus'" "$HCTRACE" help bogus
says "a command's own -h is left alone" 0 "Usage: hctrace stat" "$HCTRACE" stat -h
is "each op that is listed can be asked for" "$("$HCTRACE" list | awk '{ print $1 }' | while read -r op; do
	"$HCTRACE" list "$op" | grep -q "^$op " || echo "$op"
	"$HCTRACE" script --op "$op" tests/data/README.md 2>&1 | grep -F -- --op
done)" ""
is "ops and sub-ops" "$("$HCTRACE" list | wc -l) $("$HCTRACE" list | grep -c ' 20/')" "87 14"
is "ops with a word" "$("$HCTRACE" list is_up | tr -s ' ')" "vcpu_op/is_up 24/3"
finish
