package sample

import (
	"slices"
	"testing"
)

// FuzzEach holds the sets and digests of what comes in parts against those of the whole.
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
		values, _ := codePoints(nil, text, len(text))
		var want, got []uint64
		switch p.Unit {
		case Words:
			want, got = s.AppendValues([]uint64{7}, values), s.AppendEach([]uint64{7}, slices.Chunk(values, n))
		case Chars:
			want = s.Append([]uint64{7}, text)
			got = s.AppendText([]uint64{7}, func(yield func([]byte) bool) {
				for at := 0; at < len(text); {
					_, k := codePoints(nil, text[at:], n)
					if !yield(text[at : at+k]) {
						return
					}
					at += k
				}
			})
		default:
			want, got = s.Append([]uint64{7}, text), s.AppendText([]uint64{7}, slices.Chunk(text, n))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v in parts of %d: %x, want %x", p, n, got, want)
		}
		if DigestEach(slices.Chunk(text, n)) != Digest(text) || DigestValuesEach(slices.Chunk(values, n)) != DigestValues(values) {
			t.Fatal("a digest differs")
		}
	})
}

// Code points come in parts where there are many.
func TestLongText(t *testing.T) {
	text := []byte{}
	for r := rune(0x4e00); len(text) < 3*partUnits; r++ {
		text = append(text, string(r)...)
	}
	p := Params{Unit: Chars, Window: 5, Prime: Default.Prime, Criterion: LowBits(4)}
	s, _ := New(p)
	values, _ := codePoints(nil, text, len(text))
	if got, want := s.Append(nil, text), s.AppendValues(nil, values); !slices.Equal(got, want) {
		t.Errorf("%d fingerprints, want %d", len(got), len(want))
	}
}
