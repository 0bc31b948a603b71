package zst

import (
	"math/bits"
	"slices"
)

// A table encodes symbols by finite state entropy. Each symbol has as many of the states as its
// share of the symbols demands.
type table struct {
	bits    uint32         // log2 of the number of states
	states  [512]uint16    // the states, each plus the number of states, sorted by symbol
	symbols [64]transition // by symbol
	norm    [64]int16      // number of states by symbol, or -1 for one state at the end
}

// A transition says how to encode a symbol.
type transition struct {
	bits uint32 // (state + bits)>>16 bits of the state are written
	find int32  // what is added to the rest of the state to get the index in states
}

// The distributions of the format, for few sequences.
var predefined = [3]struct {
	bits uint32
	norm []int16
}{
	{6, []int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}},
	{5, []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
	{6, []int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}},
}

// fewSequences is the number of sequences below which the predefined tables are used, because a
// description of others would take more bytes than they save.
const fewSequences = 64

// leastBits and mostBits limit the states of a table. There are at most 53 symbols.
var leastBits, mostBits = 6, [3]int{9, 8, 9}

// build makes the table for n symbols with these counts. It appends the description of the table to
// dst, and returns its type.
func (t *table) build(dst []byte, counts *[64]uint32, n, which int) (_ []byte, kind byte) {
	most := slices.Max(counts[:])
	switch {
	case int(most) == n:
		symbol := slices.Index(counts[:], most)
		t.bits, t.symbols[symbol] = 0, transition{} // no bits are written
		return append(dst, byte(symbol)), repeated
	case n < fewSequences:
		p := &predefined[which]
		t.bits, t.norm = p.bits, [64]int16{}
		copy(t.norm[:], p.norm)
		t.fill()
		return dst, raw
	}
	t.bits = uint32(min(max(bits.Len(uint(n-1))-2, leastBits), mostBits[which]))
	t.normalize(counts, n)
	t.fill()
	return t.appendNorm(dst), compressed
}

// normalize sets the number of states of each symbol in proportion to its count, but at least one.
func (t *table) normalize(counts *[64]uint32, n int) {
	size := 1 << t.bits
	left := size
	for s, c := range counts {
		t.norm[s] = 0
		if c > 0 {
			t.norm[s] = int16(max(1, (int(c)<<t.bits+n/2)/n))
			left -= int(t.norm[s])
		}
	}
	for left != 0 {
		largest := 0
		for s, k := range t.norm {
			if k > t.norm[largest] {
				largest = s
			}
		}
		if left > 0 {
			t.norm[largest] += int16(left)
			return
		}
		t.norm[largest]--
		left++
	}
}

// fill sets the states and the transitions.
func (t *table) fill() {
	size := 1 << t.bits
	var symbolOf [512]uint8
	high := size - 1
	var next [65]int
	for s, k := range t.norm {
		next[s+1] = next[s] + int(max(k, -k))
		if k == -1 {
			symbolOf[high] = uint8(s)
			high--
		}
	}
	step, at := size>>1+size>>3+3, 0
	for s, k := range t.norm {
		for range max(k, 0) {
			symbolOf[at] = uint8(s)
			for at = (at + step) & (size - 1); at > high; at = (at + step) & (size - 1) {
			}
		}
	}
	for s, k := range t.norm {
		first := next[s]
		switch {
		case k == 1 || k == -1:
			t.symbols[s] = transition{t.bits<<16 - uint32(size), int32(first - 1)}
		case k > 1:
			most := t.bits + 1 - uint32(bits.Len16(uint16(k-1)))
			t.symbols[s] = transition{most<<16 - uint32(k)<<most, int32(first) - int32(k)}
		}
	}
	for i, s := range symbolOf[:size] {
		t.states[next[s]] = uint16(size + i)
		next[s]++
	}
}

// appendNorm appends the description of the table.
func (t *table) appendNorm(dst []byte) []byte {
	var acc uint64
	n := uint(0)
	add := func(v, k uint) {
		acc |= uint64(v) << n
		for n += k; n >= 8; n -= 8 {
			dst, acc = append(dst, byte(acc)), acc>>8
		}
	}
	add(uint(t.bits-5), 4)
	remaining, threshold, width := 1<<t.bits+1, 1<<t.bits, uint(t.bits)+1
	for s := 0; remaining > 1; s++ {
		if s > 0 && t.norm[s-1] == 0 {
			from := s
			for t.norm[s] == 0 {
				s++
			}
			zeros := s - from
			for ; zeros >= 3; zeros -= 3 {
				add(3, 2)
			}
			add(uint(zeros), 2)
		}
		k := int(t.norm[s])
		most := 2*threshold - 1 - remaining
		remaining -= k
		if k++; k >= threshold {
			k += most
		}
		if k < most {
			add(uint(k), width-1)
		} else {
			add(uint(k), width)
		}
		for remaining < threshold {
			width, threshold = width-1, threshold>>1
		}
	}
	if n > 0 {
		dst = append(dst, byte(acc))
	}
	return dst
}

// first returns the state for the last symbol, which is encoded first.
func (t *table) first(symbol uint8) uint32 {
	if t.bits == 0 {
		return 0
	}
	s := &t.symbols[symbol&63]
	n := (s.bits + 1<<15) >> 16
	return uint32(t.states[int32((n<<16-s.bits)>>n)+s.find])
}

// next adds the bits of a state, and returns the state for one more symbol.
func (t *table) next(w bitBuffer, state uint32, symbol uint8) (bitBuffer, uint32) {
	s := &t.symbols[symbol&63]
	n := (state + s.bits) >> 16
	return w.add(state, n), uint32(t.states[(int32(state>>(n&31))+s.find)&511])
}
