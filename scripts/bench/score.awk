# Scores a run on records with known duplicates:
#
#	awk -v t=0.8 -v records=N -f score.awk TRUTH KEPT
#
# KEPT has the ids of the kept records. The output is the recall of the pairs with a
# similarity of at least t, the recall of those with at least t + .02, the precision, and
# the number of dropped records. A pair is found if one of its records was dropped.
# Dropping a record is correct if TRUTH pairs it with a kept record and their similarity
# is at least t or their texts are equal, according to the fourth column: texts without
# words are not similar to any text, but dropping a copy of one is correct. With t=exact,
# only equal pairs count.
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
# share rounds down to the four printed decimals: 1.0000 means all.
function share(part, of) { return of ? int(part * 10000 / of) / 10000 : 1 }
