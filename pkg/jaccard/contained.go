package jaccard

// NeedContained returns how many elements sets of sizes na and nb must share
// at least for the containment of the smaller in the other to be t.
func NeedContained(na, nb int, t float64) int {
	n := min(na, nb)
	need := int(float64(n) * t)
	for need > 0 && Containment(n, need-1) >= t {
		need--
	}
	for need <= n && Containment(n, need) < t {
		need++
	}
	return need
}
