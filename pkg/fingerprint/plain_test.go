package fingerprint

import (
	"bytes"
	"math/big"
	"slices"
)

// plain follows the description of Manber's system step by step, but also hashes the last windows,
// which the description omits. The numbers in the comments of plain are the step numbers of the
// description.
func plain(p Params, text []byte) []uint64 {
	s, prime, m := p.Window, new(big.Int).SetUint64(p.Prime), bigModulus(p.Modulus)
	set := map[uint64]bool{}            // 1. an empty set of hashes
	for n := 0; n+s <= len(text); n++ { // 2, 7. one iteration per window
		w := text[n : n+s] // 3.
		f := new(big.Int)
		for i := range w { // 4. f = w[0]·p^(s-1) + … + w[s-1]·p^0
			power := new(big.Int).Exp(prime, big.NewInt(int64(s-1-i)), nil)
			f.Add(f, power.Mul(power, big.NewInt(int64(w[i]))))
		}
		h := f.Mod(f, m).Uint64() // 5.
		if meets(p, h) {          // 6.
			set[h] = true
		}
	}
	return sorted(set)
}

func bigModulus(m uint64) *big.Int {
	if m == 0 {
		return new(big.Int).Lsh(big.NewInt(1), 64)
	}
	return new(big.Int).SetUint64(m)
}

func sorted(set map[uint64]bool) []uint64 {
	var list []uint64
	for h := range set {
		list = append(list, h)
	}
	slices.Sort(list)
	return list
}

// plainMixed is like plain, but for parameters without Raw: 1 is added to each unit, hashes are
// mixed, and padding is dropped.
func plainMixed(p Params, text []byte) []uint64 {
	set := map[uint64]bool{}
	for n, h := range plainHashes(p, text) {
		if meets(p, h) && !plainPadding(text[n:n+p.Window]) {
			set[h] = true
		}
	}
	return sorted(set)
}

func plainHashes(p Params, text []byte) (hashes []uint64) {
	for n := 0; n+p.Window <= len(text); n++ {
		f := uint64(0)
		for _, w := range text[n : n+p.Window] {
			f = f*p.Prime + uint64(w) + 1
		}
		h := mix(f)
		if p.Modulus != 0 {
			h %= p.Modulus
		}
		hashes = append(hashes, h)
	}
	return hashes
}

func plainPadding(w []byte) bool {
	for q := 1; q <= 8 && q <= len(w)/2; q++ {
		if bytes.HasPrefix(bytes.Repeat(w[:q], len(w)), w) {
			return true
		}
	}
	return false
}

func plainWinnow(p Params, text []byte) []uint64 {
	set, h := map[uint64]bool{}, plainHashes(p, text)
	if len(h) > 0 && len(h) < p.Winnow {
		set[slices.Min(h)] = true
	}
	for n := 0; n+p.Winnow <= len(h); n++ {
		set[slices.Min(h[n:n+p.Winnow])] = true
	}
	return sorted(set)
}

func meets(p Params, h uint64) bool {
	return slices.ContainsFunc(p.criteria(), func(c Criterion) bool { return h&c.Mask == c.Value })
}
