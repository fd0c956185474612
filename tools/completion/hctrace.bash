# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# bash completion for hctrace. Verbs and options come from its own help.

# What the module has in a column of its table, without sums.
_hctrace_column()
{
	awk -v nr="$1" '!/^#/ && $1 != "dom" && $nr != "*" { print $nr }' \
		/sys/kernel/debug/xen-hctrace/stats 2>/dev/null | sort -u
}

# The values of the option in $1; status 1: it takes none that we know.
_hctrace_values()
{
	case $1 in
	-s | --sort) echo records calls members batches size cont cpu percpu name ;;
	--domain) _hctrace_column 1 ;;
	--op) "${COMP_WORDS[0]}" list 2>/dev/null | awk '{ print $1 }' ;;
	-f | --format) echo perf xentrace ;;
	-k | --kind) echo call member hvm ;;
	-F | --fields) echo time pcpu dom kind op args batch flags name ;;
	--color) echo always never auto ;;
	*) return 1 ;;
	esac
}

# Files that begin with $1. bash then escapes blanks in them, and goes on into folders.
_hctrace_files()
{
	# There is nobody to tell outside of a completion.
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# Verbs, with help in front of one of them.
_hctrace_verbs()
{
	"${COMP_WORDS[0]}" --help 2>/dev/null | awk '/^  [a-z]+ / { print $1 }'
}

_hctrace()
{
	local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}
	local verb=${COMP_WORDS[1]} words i

	# bash makes words of its own of "--sort=calls".
	[ "$word" != = ] || word=''
	[ "$last" != = ] || last=${COMP_WORDS[COMP_CWORD - 2]}
	COMPREPLY=()
	for ((i = 2; i < COMP_CWORD; i++)); do
		# What follows is a command.
		if [ "${COMP_WORDS[i]}" = -- ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
			return
		fi
	done
	if [[ $last == -o || $last == --output ]]; then
		_hctrace_files "$word"
		return
	elif words=$(_hctrace_values "$last" "$word"); then
		:
	elif [ "$COMP_CWORD" -eq 1 ]; then
		words="$(_hctrace_verbs) help"
	elif [ "$verb" = help ]; then
		words=$(_hctrace_verbs)
	elif [[ $word == -* ]]; then
		words=$("${COMP_WORDS[0]}" "$verb" --help 2>/dev/null |
			grep -oE '^ +(-[a-zA-Z?], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
	else
		_hctrace_files "$word"
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _hctrace hctrace
