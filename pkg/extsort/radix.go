package extsort

// Radix sorts entries by key, keeping the order of equal ones. It returns
// either slice; tmp must be as long as a.
func Radix[E Entry](a, tmp []E) []E {
	if len(a) < 64 {
		insertion(a)
		return a
	}
	var counts [8][256]uint32
	for i := range a {
		k := a[i][0]
		for b := range counts {
			counts[b][byte(k>>(8*b))]++
		}
	}
	for b := range counts {
		shift := 8 * b
		if counts[b][byte(a[0][0]>>shift)] == uint32(len(a)) {
			continue // all keys agree in this byte
		}
		scatter(tmp, a, &counts[b], shift)
		a, tmp = tmp, a
	}
	return a
}

// scatter moves entries from src to dst in the order of one byte of the key.
func scatter[E Entry](dst, src []E, count *[256]uint32, shift int) {
	var at [256]uint32
	sum := uint32(0)
	for i, c := range count {
		at[i] = sum
		sum += c
	}
	for _, e := range src {
		c := byte(e[0] >> shift)
		dst[at[c]] = e
		at[c]++
	}
}

func insertion[E Entry](a []E) {
	for i := 1; i < len(a); i++ {
		e, j := a[i], i
		for ; j > 0 && a[j-1][0] > e[0]; j-- {
			a[j] = a[j-1]
		}
		a[j] = e
	}
}
