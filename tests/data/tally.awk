# SPDX-License-Identifier: GPL-2.0
# Second half of ./count: from the calls in the order of time to the golden table. A multicall is a continuation if
# its count is what an earlier one of the same vCPU still lacks, or one more and the member it was preempted in
# comes again.
function add(cont)
{
	row = "d" $2 " " $4 " " $5
	rows[row] = 1
	if (cont)
		conts[row]++
	else {
		calls[row]++
		units[row] += $6 == "-" ? 0 : $6
	}
}

# The newest multicall of vCPU v that lacks this many and has had some
function lacking(v, nr,   id)
{
	for (id = newest[v]; id > 0 && id > newest[v] - 8; id--)
		if (had[v, id] && total[v, id] - had[v, id] == nr)
			return id
	return 0
}

function begin(v, nr)
{
	id = ++newest[v]
	total[v, id] = nr
	had[v, id] = 0
	return id
}

{ v = $2 "v" $3 }

$2 == "?" || $4 == "hvm" { add(0); next }

$4 == "call" && $5 == 13 {
	doubt[v] = 0
	if ((id = lacking(v, $6)) > 0) {
		add(1)
	} else if ($6 > 1 && (id = lacking(v, $6 - 1)) > 0 || $6 == 1 && last_marks[v] && (id = newest[v]) > 0) {
		doubt[v] = $6
		doubt_row[v] = "d" $2 " call 13"
		open[v] = id
		next				# its first member tells
	} else {
		add(0)
		id = begin(v, $6)
	}
	open[v] = id
	next
}

$4 == "call" { add($7); open[v] = 0; next }

# Members
{
	op = $5
	sub("/.*", "", op)
	again = 0
	if (doubt[v]) {
		again = op == last_op[v, open[v]] && ((op != 1 && op != 26) || $7)
		rows[doubt_row[v]] = 1
		if (again)
			conts[doubt_row[v]]++
		else {
			calls[doubt_row[v]]++
			units[doubt_row[v]] += doubt[v]
			open[v] = begin(v, doubt[v])
		}
		doubt[v] = 0
	}
	add(again || $7)
	if (!open[v])
		next
	if (!again)
		had[v, open[v]]++
	last_op[v, open[v]] = op
	last_marks[v] = op == 1 || op == 26
}

END {
	for (row in rows)
		printf "%s %d %d %d\n", row, calls[row], conts[row], units[row]
}
