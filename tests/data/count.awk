# SPDX-License-Identifier: GPL-2.0
# First half of ./count: each hypercall of an xentrace file as a line, whoever made it. Reads what
# `od -An -tu4 -v` prints of the file; knows no more of the format than what it needs, and stops at what it does
# not expect. Prints: TSC domain vCPU kind op[/command] units marked
#
# units is "-" where Xen records none; marked is 1 for an mmu_update or mmuext_op that says it is a continuation.
{ for (f = 1; f <= NF; f++) word[n++] = $f }

function stop(why) { printf "count.awk: word %d: %s\n", at, why >"/dev/stderr"; failed = 1; exit 1 }

# "domain vcpu", which runstate records have in one word
function who(w) { return int(w / 65536) " " (w % 65536) }

function call(kind, p, nr,   op, tags, i, a, used, arg, units, marked)
{
	op = word[p] % 1048576
	tags = int(word[p] / 1048576)
	used = 1
	for (i = 0; tags; i++) {
		a = tags % 4
		tags = int(tags / 4)
		if (a > 1)
			stop("an argument of 64 bits")
		if (a)
			arg[i] = word[p + used++]
	}
	if (kind != "hvm" && used != nr)
		stop("arguments and size of a call disagree")
	units = "-"
	marked = 0
	if (op == 1 || op == 26) {			# mmu_update, mmuext_op
		if ((1 in arg) && arg[1] >= 2147483648) {
			marked = 1
			arg[1] -= 2147483648
		}
	}
	if ((op == 1 || op == 13 || op == 26) && (1 in arg))
		units = arg[1]
	if (op == 20 && (2 in arg))			# grant_table_op
		units = arg[2]
	if ((op == 20 || op == 24 || op == 29) && (0 in arg))
		op = op "/" (op == 20 ? arg[0] % 4096 : arg[0])
	caller = current[cpu] ~ /^[0-9]/ && current[cpu] !~ /^32767 / ? current[cpu] : "? ?"
	printf "%.0f %s %s %s %s %d\n", tsc[cpu], caller, kind, op, units, marked
}

END {
	if (failed)
		exit 1
	for (at = 0; at < n; at += size) {
		event = word[at] % 268435456
		top = int(word[at] / 268435456)
		extra = top % 8
		size = 1 + (top >= 8 ? 2 : 0) + extra
		p = at + size - extra			# the first extra word
		if (at + size > n)
			stop("the file ends inside a record")
		if (event == 126979) {			# 0x01f003, xentrace's CPU_CHANGE
			if (at != window_end)
				stop("a window is not as long as it says")
			cpu = word[p]
			window_end = at + size + word[p + 1] / 4
			continue
		}
		if (at + size > window_end)
			stop("a record runs past its window")
		if (top >= 8)
			tsc[cpu] = word[at + 2] * 4294967296 + word[at + 1]
		kind = ""
		if (event == 126977) {			# 0x01f001, LOST_RECORDS
			lost += word[p]
			current[cpu] = (word[p + 1] % 65536) " " int(word[p + 1] / 65536)
		} else if (int(event / 4096) == 33 && event % 16 == 1) {	# 0x021..1, runstate
			if (int(event / 16) % 4 == 0)			# to running
				current[cpu] = who(word[p])
			else if (int(event / 256) % 4 == 0)		# from running
				current[cpu] = ""
		} else if (event == 135170) {		# 0x021002, CONTINUE_RUNNING
			current[cpu] = who(word[p])
		} else if (event == 163850) {		# 0x02800a, SCHED_SWITCH
			current[cpu] = word[p + 2] " " word[p + 3]
		} else if (event == 163857) {		# 0x028011, SWITCH_INFCONT
			current[cpu] = word[p] " " word[p + 1]
		} else if (event == 2101261) {		# 0x20100d
			kind = "call"
		} else if (event == 2105358) {		# 0x20200e
			kind = "member"
		} else if (event == 532498) {		# 0x082012
			kind = "hvm"
		}
		if (kind != "")
			call(kind, p, extra)
	}
	if (lost)
		stop(lost " records were lost in Xen: make another capture")
}
