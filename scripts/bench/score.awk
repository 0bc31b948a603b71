# Scores a run on a corpus against its truth:
#
#	awk -v t=0.8 -v records=N -f score.awk TRUTH KEPT
#
# KEPT has the ids of the kept records. It prints the recall of the pairs of
# similarity t or more, that of the pairs that are .02 above it, the precision,
# and how many were dropped. A drop is right if the truth names a pair of the
# record with one that was kept, similar to the degree t.
BEGIN { FS = "\t" }
NR == FNR { a[NR] = $1; b[NR] = $2; j[NR] = $3; pairs = NR; next }
{ kept[$1] }
END {
	for (i = 1; i <= pairs; i++) {
		both = (a[i] in kept) + (b[i] in kept)
		if (j[i] >= t) { all++; found += both < 2; right += both == 1 }
		if (j[i] >= t + .02) { clear++; clearFound += both < 2 }
	}
	dropped = records - length(kept)
	printf "%.4f\t%.4f\t%.4f\t%d\n", share(found, all), share(clearFound, clear), share(right, dropped), dropped
}
function share(part, of) { return of ? part / of : 1 }
