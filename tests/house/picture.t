#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/terminal-svg draws what a terminal shows.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh

# drawn TEXT: what becomes of a screen of 20 columns, without the frame
drawn()
{
	# shellcheck disable=SC2059 # escapes are meant
	printf "$1" | timeout 10 scripts/terminal-svg 20 "a & b" >"$work/svg"
	grep -E '^<(text|rect) x=' "$work/svg"
}
head='<text x="14" y="48"'

is "words that stand together, and apart" "$(drawn 'one two   three\n')" \
	"$head textLength=\"58.8\" fill=\"#d7dae0\">one two</text>
<text x=\"98\" y=\"48\" textLength=\"42\" fill=\"#d7dae0\">three</text>"
is "bold, a colour, and back" "$(drawn '\033[1;31mred\033[0m\033[39m\033[49mx\n')" \
	"$head textLength=\"25.2\" fill=\"#e06c75\" font-weight=\"bold\">red</text>
<text x=\"39.2\" y=\"48\" textLength=\"8.4\" fill=\"#d7dae0\">x</text>"
is "dim, in the second line" "$(drawn '\n\033[2mq\033[m\n')" \
	'<text x="14" y="67" textLength="8.4" fill="#d7dae0" opacity="0.6">q</text>'
is "reversed, blanks too" "$(drawn '\033[7ma  \n')" \
	"<rect x=\"14\" y=\"34\" width=\"25.2\" height=\"19\" fill=\"#d7dae0\"/>
$head textLength=\"8.4\" fill=\"#1b1d23\">a</text>"
is "underlined" "$(drawn '\033[4mab\n')" \
	"<rect x=\"14\" y=\"50\" width=\"16.8\" height=\"1\" fill=\"#d7dae0\"/>
$head textLength=\"16.8\" fill=\"#d7dae0\">ab</text>"
is "a character of three bytes is one" "$(drawn '\342\226\203\342\226\205\n')" \
	"$head textLength=\"16.8\" fill=\"#d7dae0\">$(printf '\342\226\203\342\226\205')</text>"
is "what means something in XML" "$(drawn '<a&b>\n')" "$head textLength=\"42\" fill=\"#d7dae0\">&lt;a&amp;b&gt;</text>"
drawn 'x\n' >"$work/out"
is "the title" "$(grep '^<title' "$work/svg")" "<title>a &amp; b</title>"
is "the size" "$(grep -o 'viewBox="[^"]*"' "$work/svg")" 'viewBox="0 0 196 67"'
finish
