// SPDX-License-Identifier: GPL-2.0
/* Of its own, because term.h has macros such as "lines" and "columns". */
#include <curses.h>
#include <term.h>
#include <unistd.h>

#undef lines
#undef columns
#include "term.h"

bool top_screen_possible(void)
{
	bool possible;
	char *cup;
	int error;

	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return false;
	if (setupterm(NULL, STDOUT_FILENO, &error) != OK)
		return false;
	cup = tigetstr("cup");
	possible = cup && cup != (char *)-1;
	/* curses begins anew. */
	del_curterm(cur_term);
	return possible;
}
