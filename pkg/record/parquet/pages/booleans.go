package pages

import "fmt"

// plainBooleans returns a page of booleans in runs with plain ones, a bit each.
// Runs are a hybrid behind its size. Of the value of a run only the lowest bit
// counts: the library writes 255 for true.
func plainBooleans(b []byte, p *page, l *leaf) ([]byte, error) {
	runs, n, err := p.there(b, l)
	if err != nil {
		return nil, err
	}
	out := append([]byte(nil), b[:len(b)-len(runs)]...)
	if n == 0 {
		return out, nil
	}
	if runs, _, ok := cutSized(runs); ok && (&hybrid{runs, 1, n}).whole() {
		values, err := unpacked(runs, 1, n)
		for i, v := range values {
			if i%8 == 0 {
				out = append(out, 0)
			}
			out[len(out)-1] |= v & 1 << (i % 8)
		}
		return out, err
	}
	return nil, fmt.Errorf("its booleans: %w", ErrDamaged)
}
