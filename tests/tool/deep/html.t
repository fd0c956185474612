#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# hctrace report --html in a real browser: what it makes of the page, of a click on a column's
# head, and of names that would be scripts. Debian's chromium, without a network.
set -u
cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/tool/files.sh
. tests/tool/files.sh
: "${MKPERF:=build/tools/mkperf}"

command -v chromium >/dev/null || { not_ok "chromium is not here: scripts/packages-deep names it"; finish; exit 1; }

# browse PAGE OPTION...: with a profile of its own. Standard error has what scripts say.
browse()
{
	local page=$1
	shift
	rm -rf "$work/profile"
	timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--user-data-dir="$work/profile" --enable-logging=stderr --virtual-time-budget=20000 \
		"$@" "file://$page" 2>"$work/said"
}

# after PAGE SCRIPT [OPTION...]: the page with SCRIPT run at its end, as the browser has it then
after()
{
	# The page allows no scripts but those in it.
	printf '<script>%s</script></body>\n' "$2" >"$work/script"
	sed -e "\|</body>|{ r $work/script" -e 'd }' "$1" >"$work/after.html"
	shift 2
	browse "$work/after.html" --dump-dom "$@"
}

# console: what was said by scripts, or of them
console() { grep -E 'CONSOLE|Uncaught|Refused' "$work/said"; }

# column TABLE NUMBER: of a DOM on standard input, its cells' text
column()
{
	sed 's/<tr>/\n<tr>/g' | awk -v table="id=\"$1\"" -v nr="$2" '
		/<table/ { on = index($0, table) }
		on && /^<tr><td/ { n = split($0, cell, /<td[^>]*>/); sub(/<\/td>.*/, "", cell[nr + 1]); print cell[nr + 1] }
		/<\/table>/ { on = 0 }'
}

# click TABLE COLUMN: a script that clicks its head
click() { echo "document.querySelectorAll('#$1 th button')[$(($2 - 1))].click();"; }

# --- the page and what a click does ---

xz -dc tests/data/xen-4.17-both.xentrace.xz >"$work/trace"
"$HCTRACE" report --tsc-mhz 1000 --html -o "$work/calls.html" "$work/trace"
browse "$work/calls.html" --dump-dom >"$work/before"
is "no word on the console" "$(console)" ""
after "$work/calls.html" "nonsense();" >"$work/failed"
is "... where a script that fails would be heard" "$(console | grep -c "nonsense is not defined")" 1
is "domains, the most records first" "$(column domains 3 <"$work/before" | tr '\n' ' ')" "20,311 75 75 3 "
is "... their shares" "$(column domains 4 <"$work/before" | tr '\n' ' ')" "99.25% 0.37% 0.37% 0.01% "
is "... how long their vCPUs ran" "$(column domains 11 <"$work/before" | tr '\n' ' ')" "3,719 1.54 23.51 0.69 "
is "... and how many calls a second of that" "$(column domains 12 <"$work/before" | tail -n 1)" "-"
is "every row of the tables is in it" "$(column ops 8 <"$work/before" | tr -d ,~ | awk '{ sum += $1 } END { print NR, sum }')" \
	"$("$HCTRACE" export --json "$work/trace" 2>/dev/null | jq -s '[.[] | select(.op) | .calls] | [length, add] | @tsv' -r | tr '\t' ' ')"
after "$work/calls.html" "$(click ops 8)" >"$work/down"
is "a click on calls: the most first" "$(column ops 8 <"$work/down" | tr -d ,~ | sort -rnc 2>&1)$(console)" ""
is "... the head says so" "$(grep -o '<th aria-sort[^/]*' "$work/down" | sed 's/.*aria-sort="\(.*\)"><button>\(.*\)</\1 \2/' | tr '\n' ,)" \
	"descending records,descending calls,"
after "$work/calls.html" "$(click ops 8)$(click ops 8)" >"$work/up"
is "another click: the least" "$(column ops 8 <"$work/up" | tr -d ,~ | sort -nc 2>&1)$(console)" ""
is "... of the same rows" "$(column ops 8 <"$work/up" | sort | cmp - <(column ops 8 <"$work/down" | sort) 2>&1)" ""
after "$work/calls.html" "$(click ops 4)" >"$work/op"
is "a click on op: by name" "$(column ops 4 <"$work/op" | LC_ALL=C sort -c 2>&1)$(console)" ""
after "$work/calls.html" "$(click ops 10)" >"$work/units"
is "what does not apply comes last" "$(column ops 10 <"$work/units" | uniq | tr '\n' ' ')" "7,914 2,251 457 187 21 4 - "
is "... either way" "$(after "$work/calls.html" "$(click ops 10)$(click ops 10)" | column ops 10 | uniq | tr '\n' ' ')" \
	"4 21 187 457 2,251 7,914 - "
is "the chart has an area a domain" "$(grep -o '<title>[^<]*</title></path>' "$work/before" | sed 's/<[^>]*>//g; s/ *$//' | tr '\n' ,)" \
	"d0,d3,d4,d?,all others,"
is "nothing in it is to be fetched" "$(grep -v Content-Security-Policy "$work/calls.html" | grep -oiE '(src|href|url|import|fetch)[ =(][^ ]*')" ""

# --- light and dark ---

# ground OPTION...: the colour of the paper
ground()
{
	after "$work/calls.html" "document.title = getComputedStyle(document.body).backgroundColor;" "$@" |
		sed -n 's/.*<title>\(rgb[^<]*\)<.*/\1/p'
}
is "light" "$(ground)" "rgb(255, 255, 255)"
is "dark" "$(ground --blink-settings=preferredColorScheme=0)" "rgb(21, 24, 28)"

# --- names that would be something else, and a large figure ---

{
	printf 'name 1 0 <script>document.title="caught"</script>\n'
	printf 'name 2 0 "><img src=x onerror=alert(1)>\n'
	printf 'name 3 0 </script><b>\n'
	printf "name 4 0 '&amp;\\\\u003c\n"
	printf 'name 5 0 财务\n'
	for i in 1 2 3 4 5; do echo "call ${i}000 0 $i 0 0 23"; done
	echo "lost 8000 1 1234567"
} | "$MKPERF" >"$work/<i>names"
"$HCTRACE" report --html -o "$work/names.html" "$work/<i>names"
after "$work/names.html" "document.title = JSON.stringify([
	Array.from(document.querySelectorAll('#domains tbody:last-of-type tr'), (row) => row.cells[1].textContent),
	document.querySelectorAll('b, i:not(.key i), img, script:not(body > script)').length,
	document.querySelector('h1').textContent.split('/').pop(),
	document.querySelector('#losses .bad').textContent]);" >"$work/dom"
is "names are text, and so is the file's" \
	"$(sed -n 's/.*<title>\(\[.*\)<\/title>.*/\1/p' "$work/dom" | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | jq -c .)" \
	'[["<script>document.title=\"caught\"</script>","\"><img src=x onerror=alert(1)>","</script><b>","'"'"'&amp;\\u003c","财务"],0,"<i>names","LOST: 1,234,567 of 1,234,572 trace records (99.9996 %), so the counts are too low."]'
is "... and nothing on the console" "$(console)" ""

# --- ten thousand rows ---

# Enough domains of enough ops, all with figures of their own.
{
	for domain in $(seq 1 250); do
		for op in $(seq 0 41); do
			[ "$op" = 11 ] || echo "call $((domain * 1000 + op)) 0 $domain 0 0 $op"
			[ $((domain % 7)) != 0 ] || echo "call $((domain * 1000 + op)) 0 $domain 0 1 $op"
		done
	done
} | "$MKPERF" >"$work/many"
"$HCTRACE" report --html -o "$work/many.html" "$work/many"
browse "$work/many.html" --dump-dom >"$work/before"
nr=$(column ops 1 <"$work/before" | wc -l)
at_most "more than 10,000 rows" 10000 "$nr"
after "$work/many.html" "$(click ops 1)" >"$work/down"
is "by domain: ids as numbers" "$(column ops 1 <"$work/down" | sed s/d// | sort -nc 2>&1)$(console)" ""
is "... all of them" "$(column ops 1 <"$work/down" | wc -l)" "$nr"
finish
