# SPDX-License-Identifier: GPL-2.0
# The rows of `hctrace report` that are no sums, besides that of d?: domain kind op calls cont units, "-" being 0.
# What `records` says is their sum, or the row is shown as it is not wanted anywhere.
/^#/ { in_stats = 0; next }
$1 == "dom" {
	in_stats = / acc( |$)/
	for (f = 1; f <= NF; f++)
		at[$f] = f
	next
}
!in_stats || ($3 == "*" && $1 != "d?") { next }
{
	calls = $at["calls"]
	cont = $at["cont"] == "-" ? 0 : $at["cont"]
	units = $at["units"] == "-" ? 0 : $at["units"]
	wrong = $at["records"] == calls + cont ? "" : " records " $at["records"]
	print $1, $2, $3, calls, cont, units wrong
}
