package pages

import (
	"encoding/binary"
	"fmt"
)

// plainBooleans returns a page of booleans in runs with plain ones, a bit each.
// Runs are a hybrid behind its size. Of the value of a run only the lowest bit
// counts: the library writes 255 for true.
func plainBooleans(b []byte, p *page, l *Leaf) ([]byte, error) {
	runs, n, err := p.there(b, l)
	if err != nil {
		return nil, err
	}
	out := append([]byte(nil), b[:len(b)-len(runs)]...)
	if n == 0 {
		return out, nil
	}
	if len(runs) < 4 || uint64(binary.LittleEndian.Uint32(runs)) > uint64(len(runs)-4) {
		return nil, fmt.Errorf("its booleans: %w", ErrDamaged)
	}
	bits := bitWriter{b: out}
	for h := (hybrid{runs[4 : 4+binary.LittleEndian.Uint32(runs)], 1, n}); h.n > 0; {
		s, ok := h.next()
		if !ok {
			return nil, fmt.Errorf("its booleans: %w", ErrDamaged)
		}
		bits.add(s)
	}
	return bits.b, nil
}

// A bitWriter appends bits, the lowest of a byte first.
type bitWriter struct {
	b    []byte
	free int // bits of the last byte
}

func (w *bitWriter) add(s stretch) {
	for i := range s.n {
		bit := byte(s.value & 1)
		if s.packed != nil {
			bit = s.packed[i/8] >> (i % 8) & 1
		}
		if w.free == 0 {
			w.b, w.free = append(w.b, 0), 8
		}
		w.b[len(w.b)-1] |= bit << (8 - w.free)
		w.free--
	}
}
