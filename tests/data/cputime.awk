# SPDX-License-Identifier: GPL-2.0
# ./cputime: whose time it was on each pCPU of an xentrace file, in cycles of the TSC. Reads what `od -An -tu4 -v`
# prints of the file, makes a list of stays of it, "from this moment on it was X", and adds up the time between
# two of them that are of one and the same vCPU.
{ for (f = 1; f <= NF; f++) word[n++] = $f }

function stop(why) { printf "cputime.awk: word %d: %s\n", at, why >"/dev/stderr"; failed = 1; exit 1 }

# "domain:vcpu", which runstate records have in one word
function who(w) { return int(w / 65536) ":" (w % 65536) }

# Here @ended stops and @begun starts to run; "" is nobody
function event_of(cpu, ended, begun) { nr[cpu]++; when[cpu, nr[cpu]] = tsc[cpu]; left[cpu, nr[cpu]] = ended; came[cpu, nr[cpu]] = begun }

function spend(name, cycles) { if (cycles) time[name] += cycles }

function name_of(vcpu,   part)
{
	split(vcpu, part, ":")
	return part[1] == 32767 ? "idle" : "d" part[1]
}

function add_up(cpu,   i, from, owner)
{
	from = first[cpu]
	owner = ""
	for (i = 1; i <= nr[cpu]; i++) {
		# A start behind a stop: what lies between is of the one that starts
		if (left[cpu, i] == "" && owner == "between") {
			owner = came[cpu, i]
			continue
		}
		spend(owner != "" && owner == left[cpu, i] ? name_of(owner) : "d?", when[cpu, i] - from)
		from = when[cpu, i]
		owner = came[cpu, i] == "" ? "between" : came[cpu, i]
	}
	spend(owner ~ /:/ ? name_of(owner) : "d?", tsc[cpu] - from)
}

# Where runstates were recorded, switches say nothing new
function walk(   event, top, extra, size, p)
{
	for (at = 0; at < n; at += size) {
		event = word[at] % 268435456
		top = int(word[at] / 268435456)
		extra = top % 8
		size = 1 + (top >= 8 ? 2 : 0) + extra
		p = at + size - extra			# the first extra word
		if (at + size > n)
			stop("the file ends inside a record")
		if (event == 126979) {			# 0x01f003, xentrace's CPU_CHANGE
			cpu = word[p]
			continue
		}
		if (event == 126977)			# 0x01f001, LOST_RECORDS
			stop("records were lost in Xen")
		if (top >= 8)
			tsc[cpu] = word[at + 2] * 4294967296 + word[at + 1]
		if (!(cpu in first))
			first[cpu] = tsc[cpu]
		if (int(event / 4096) == 33 && event % 16 == 1) {	# 0x021..1, runstate
			has_runstates = 1
			if (int(event / 16) % 4 == 0)			# to running
				event_of(cpu, "", who(word[p]))
			else if (int(event / 256) % 4 == 0)		# from running
				event_of(cpu, who(word[p]), "")
		} else if (event == 135170) {		# 0x021002, CONTINUE_RUNNING
			event_of(cpu, who(word[p]), who(word[p]))
		} else if (event == 163850 && !by_runstate) {		# 0x02800a, SCHED_SWITCH
			event_of(cpu, word[p] ":" word[p + 1], word[p + 2] ":" word[p + 3])
		} else if (event == 163857) {		# 0x028011, SWITCH_INFCONT
			event_of(cpu, word[p] ":" word[p + 1], word[p] ":" word[p + 1])
		}
	}
}

END {
	if (failed)
		exit 1
	walk()
	if (has_runstates) {				# once more, without the switches
		by_runstate = 1
		split("", nr); split("", tsc); split("", first)
		walk()
	}
	for (cpu in first) {
		add_up(cpu)
		all += tsc[cpu] - first[cpu]
	}
	for (name in time)
		printf "%s %.0f\n", name, time[name]
	printf "all %.0f\n", all
}
