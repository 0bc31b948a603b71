# Scores a run on records against their truth:
#
#	awk -v t=0.8 -v records=N -f score.awk TRUTH KEPT
#
# KEPT has the ids of the kept records. It prints the recall of the pairs of
# similarity t or more, that of the pairs that are .02 above it, the precision,
# and how many were dropped. A pair is found if one of it was dropped. A drop is
# right if the truth names a pair of the record with one that was kept, similar
# to the degree t, or equal to the byte, which the fourth column says: texts
# without words are similar to none, but to drop a copy of one is no fault.
# With t=exact, pairs are those that are equal.
BEGIN { FS = "\t" }
FILENAME == ARGV[1] { a[NR] = $1; b[NR] = $2; equal[NR] = $4 == "exact"; j[NR] = t == "exact" ? equal[NR] : $3; pairs++; next }
{ kept[$1] }
END {
	if (t == "exact") t = 1
	for (i = 1; i <= pairs; i++) {
		first = a[i] in kept; second = b[i] in kept
		if (j[i] >= t) { all++; found += !(first && second) }
		if (j[i] >= t + .02) { clear++; clearFound += !(first && second) }
		if ((j[i] >= t || equal[i]) && first != second) rightly[first ? b[i] : a[i]]
	}
	dropped = records - length(kept)
	printf "%.4f\t%.4f\t%.4f\t%d\n", share(found, all), share(clearFound, clear), share(length(rightly), dropped), dropped
}
# share rounds down to the four decimals that are printed: 1.0000 means all.
function share(part, of) { return of ? int(part * 10000 / of) / 10000 : 1 }
