package fingerprint

import (
	"iter"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzEach checks that dividing a text into parts does not change its set of fingerprints.
func FuzzEach(f *testing.F) {
	f.Add([]byte("the cat sat in the hat, 漢字かな\xff\xe6\xbc x"), uint8(3), uint8(2), uint8(0))
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaa"), uint8(4), uint8(9), uint8(3))
	f.Add([]byte(""), uint8(4), uint8(9), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, window, size, how uint8) {
		p := Params{Unit: []Unit{Bytes, Chars, Words}[how%3], Window: 1 + int(window)%20, Prime: Default.Prime, Criterion: LowBits(1), Winnow: int(how/3) % 5}
		s, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		n := 1 + int(size)%30
		values := codePoints(text)
		var want, got []uint64
		switch p.Unit {
		case Words:
			want, got = s.AppendValues([]uint64{7}, onePart(values)), s.AppendValues([]uint64{7}, slices.Chunk(values, n))
		case Chars:
			want = s.AppendValues([]uint64{7}, onePart(values))
			got = s.Append([]uint64{7}, func(yield func([]byte) bool) {
				for rest := text; len(rest) > 0; {
					at := 0
					for range n {
						_, size := utf8.DecodeRune(rest[at:])
						at += size
					}
					if !yield(rest[:at]) {
						return
					}
					rest = rest[at:]
				}
			})
		default:
			want, got = s.Append([]uint64{7}, onePart(text)), s.Append([]uint64{7}, slices.Chunk(text, n))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v in parts of %d: %x, want %x", p, n, got, want)
		}
	})
}

// onePart returns a text as a single part.
func onePart[T unit](text []T) iter.Seq[[]T] { return slices.Values([][]T{text}) }

func codePoints(text []byte) (values []uint64) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		values = append(values, uint64(r))
		text = text[n:]
	}
	return values
}

// TestLongText checks a text of more than mostChars code points.
func TestLongText(t *testing.T) {
	text := []byte{}
	for r := rune(0x4e00); len(text) < 9*mostChars; r++ {
		text = append(text, string(r)...)
	}
	p := Params{Unit: Chars, Window: 5, Prime: Default.Prime, Criterion: LowBits(4)}
	s, _ := New(p)
	if got, want := s.Append(nil, onePart(text)), s.AppendValues(nil, onePart(codePoints(text))); !slices.Equal(got, want) {
		t.Errorf("%d fingerprints, want %d", len(got), len(want))
	}
}
