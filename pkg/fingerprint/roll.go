package fingerprint

import "math/bits"

// unit is the constraint for the units of a text.
type unit interface{ byte | uint64 }

// A roller hashes consecutive windows.
type roller struct {
	Params
	drop    uint64      // p^s, the weight of a unit that leaves the window
	leaving [256]uint64 // for each byte c that leaves the window, its term (c+origin)·p^s, minus origin
	f       uint64      // value of the polynomial for the last window
}

func newRoller(p Params) roller {
	r := roller{Params: p, drop: power(p.Prime, p.Window, p.rolling())}
	for c := range r.leaving {
		r.leaving[c] = (uint64(c)+p.origin())*r.drop - p.origin()
	}
	return r
}

func hashFirst[T unit](r *roller, h []uint64, window []T) {
	r.f = 0
	for _, w := range window {
		r.f = step(r.f, r.Prime, uint64(w)+r.origin(), r.rolling())
	}
	h[0] = r.f
	if !r.Raw {
		h[0] = mix(r.f)
	}
	r.reduce(h)
}

// hashNext stores the hashes of the next len(h) windows in h; the first of these windows begins at
// t[1].
func hashNext[T unit](r *roller, h []uint64, t []T) {
	in, out := t[r.Window:][:len(h)], t[:len(h)]
	switch {
	case r.rolling() != 0:
		rollReduced(r, h, in, out)
	case r.Raw:
		rollWrapped(r, h, in, out)
	default:
		if in, ok := any(in).([]byte); ok {
			r.rollBytes(h, in, any(out).([]byte))
			break
		}
		rollWrapped(r, h, in, out)
		for i, x := range h {
			h[i] = mix(x)
		}
	}
	r.reduce(h)
}

// rolling returns the modulus of the rolling polynomial; 0 means 2^64. Only Raw with a modulus m
// that is not a power of two requires rolling modulo m. In all other cases, hashes are mixed before
// they are reduced modulo m, or m divides 2^64.
func (p Params) rolling() uint64 {
	if p.Raw && p.Modulus&(p.Modulus-1) != 0 {
		return p.Modulus
	}
	return 0
}

// origin returns the number that is added to the value of each unit before hashing.
func (p Params) origin() uint64 {
	if p.Raw {
		return 0
	}
	return 1
}

// rollBytes rolls the polynomial over bytes, modulo 2^64, and mixes each hash. It does two steps at
// a time, and looks up the term of the leaving byte in a table instead of multiplying.
func (r *roller) rollBytes(h []uint64, in, out []byte) {
	p, f, leaving := r.Prime, r.f, &r.leaving
	square := p * p
	in, out = in[:len(h)], out[:len(h)]
	i := 0
	for ; i+1 < len(h); i += 2 {
		d := uint64(in[i]) - leaving[out[i]]
		e := uint64(in[i+1]) - leaving[out[i+1]]
		h[i] = mix(f*p + d)
		f = f*square + (d*p + e)
		h[i+1] = mix(f)
	}
	for ; i < len(h); i++ {
		f = f*p + uint64(in[i]) - leaving[out[i]]
		h[i] = mix(f)
	}
	r.f = f
}

// rollWrapped rolls the polynomial over units of any type, modulo 2^64.
func rollWrapped[T unit](r *roller, h []uint64, in, out []T) {
	p, drop, f := r.Prime, r.drop, r.f
	origin := r.origin() * (1 - drop)
	in, out = in[:len(h)], out[:len(h)]
	for i := range h {
		f = f*p + (uint64(in[i]) - uint64(out[i])*drop + origin)
		h[i] = f
	}
	r.f = f
}

// rollReduced rolls the polynomial modulo m. It is ten times slower than rollWrapped, because it
// divides.
func rollReduced[T unit](r *roller, h []uint64, in, out []T) {
	p, m, f := r.Prime, r.Modulus, r.f
	for i := range h {
		leaving := step(uint64(out[i]), r.drop, 0, m)
		if f = step(f, p, uint64(in[i]), m); f < leaving {
			f += m
		}
		f -= leaving
		h[i] = f
	}
	r.f = f
}

// reduce replaces each hash, which was computed modulo 2^64, with its value modulo m.
func (r *roller) reduce(h []uint64) {
	switch m := r.Modulus; {
	case m == 0 || m == r.rolling():
	case m&(m-1) == 0:
		for i := range h {
			h[i] &= m - 1
		}
	default:
		for i := range h {
			h[i] %= m
		}
	}
}

// step returns f·p + w modulo m; m = 0 means 2^64.
func step(f, p, w, m uint64) uint64 {
	if m == 0 {
		return f*p + w
	}
	hi, lo := bits.Mul64(f, p)
	lo, carry := bits.Add64(lo, w, 0)
	return bits.Rem64(hi+carry, lo, m)
}

// power returns p^n modulo m.
func power(p uint64, n int, m uint64) uint64 {
	x := uint64(1)
	for range n {
		x = step(x, p, 0, m)
	}
	return x
}

// mix is a bijection in which each low bit of the result depends on all bits of x. One round
// suffices, because the high bits of a polynomial modulo 2^64 are already well distributed. The
// finaliser of MurmurHash3 would make sampling take 20 % longer without distributing the hashes
// more evenly.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xff51afd7ed558ccd
	return x ^ x>>32
}
