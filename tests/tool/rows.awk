# SPDX-License-Identifier: GPL-2.0
# The rows of `hctrace report` that are no sums, besides that of d?: domain kind op calls cont units, "-" being 0.
/^#/ { in_stats = 0; next }
$1 == "dom" { in_stats = $8 == "acc"; next }
!in_stats || ($3 == "*" && $1 != "d?") { next }
{
	for (f = 4; f <= 6; f++)
		sub(/^-$/, 0, $f)
	print $1, $2, $3, $4, $5, $6
}
