package sample

// Shared is the number of fingerprints that two ascending sets have in
// common, in one pass over both.
func Shared(a, b []uint64) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x < y:
			a = a[1:]
		case x > y:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}
