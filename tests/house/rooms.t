#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/check-rooms finds what is planted in a copy of the tree.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/tool/tap.sh
. tests/tool/tap.sh

tree=$work/tree

# A copy of what is looked at, with a function at the top of the module and of the tool
fresh()
{
	rm -rf "$tree"
	mkdir -p "$tree/scripts" "$tree/include"
	cp scripts/rooms "$tree/scripts/"
	cp -r module tools "$tree/"
	cp -r include/hctrace "$tree/include/"
	add module/main.c "int planted_on_top(void) { return 0; }"
	add tools/hctrace/main.c "int planted_verb(void) { return 0; }"
}

# add FILE LINE
add() { printf '%s\n' "$2" >>"$tree/$1"; }

finds() { what=$1 text=$2; says "$what" 1 "$text" scripts/check-rooms "$tree"; }

fresh
says "nothing is wrong with the tree" 0 "check-rooms: clean" scripts/check-rooms "$tree"

add module/core/decode.c '/* planted_on_top(), and it'"'"'s not called */ static int a = '"'*'"';'
add module/core/decode.c '/* nor is'
add module/core/decode.c '   planted_on_top() here */ static const char *b = "planted_on_top() /*";'
add module/core/decode.c 'static int c = sizeof(d->planted_on_top);	// planted_on_top()'
says "what is no use of a name" 0 "check-rooms: clean" scripts/check-rooms "$tree"
add module/core/decode.c 'static int e(void) { return planted_on_top(); }'
finds "the core calls the top" "planted_on_top of module/main.c leads up"

fresh
add module/pipe.c 'static int (*const hook)(void) = planted_on_top;'
finds "what is below names what is above, as a pointer" "planted_on_top of module/main.c leads up"

fresh
add module/xen/tsc.c '#include "../session.h"'
finds "the seam includes a header from above" "#include module/session.h leads up"

fresh
add include/hctrace/names.h '#include "readers.h"'
finds "a header of the core includes the module's" "#include module/readers.h leads up"

fresh
add tools/hctrace/base/json.c '#include "live/host.h"'
finds "base/ includes live/" "#include tools/hctrace/live/host.h leads up"

fresh
add tools/hctrace/formats/input.c 'int f(void) { return planted_verb(); }'
finds "formats/ calls main" "planted_verb of tools/hctrace/main.c leads up"

fresh
add tools/hctrace/formats/input.h '#include "xentrace_scan.h"'
finds "two headers of a room include each other" "#include tools/hctrace/formats/input.h is part of a circle"

fresh
add tools/hctrace/formats/xentrace_scan.c 'int planted(void) { return planted_too(); }'
add tools/hctrace/formats/input.c 'int planted_too(void) { return planted(); }'
finds "two sources of a room call each other" "planted of tools/hctrace/formats/xentrace_scan.c is part of a circle"

fresh
mkdir "$tree/tools/hctrace/attic"
echo >"$tree/tools/hctrace/attic/x.c"
finds "a folder has no place" "tools/hctrace/attic/x.c has no row"

fresh
rm "$tree"/module/ctl.*
finds "a place has no file" "module/ctl: there is no such file or folder"

says "there is nothing to look at" 1 "there is nothing to look at" scripts/check-rooms "$work"
finish
