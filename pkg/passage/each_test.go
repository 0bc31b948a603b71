package passage

import (
	"bytes"
	"slices"
	"testing"

	"doppel/pkg/text"
)

// FuzzEach holds the runs and the signature of a text in parts against those of the
// whole. What it is given is repeated, since parts are of thousands.
func FuzzEach(f *testing.F) {
	f.Add([]byte("the cat sat in the hat. "), uint16(700), uint8(4), uint8(2))
	f.Add([]byte("漢字 かなx\xff "), uint16(900), uint8(9), uint8(3))
	f.Add([]byte("a"), uint16(5000), uint8(9), uint8(0))
	f.Add([]byte(""), uint16(0), uint8(9), uint8(1))
	f.Fuzz(func(t *testing.T, piece []byte, times uint16, length, window uint8) {
		s := Scheme{Unit: Bytes, Length: 1 + int(length)%50, Normalize: text.None}
		if s.Window = 1 + int(window)%s.Length; window >= 128 {
			s.Unit, s.Normalize = Words, text.Balanced
		}
		signer, err := NewSigner(s)
		if err != nil {
			t.Fatal(err)
		}
		body := bytes.Repeat(piece, int(times)%8192)
		body = append(append(body, "and an end "...), piece...)
		want := signer.Append(nil, body)
		got := slices.Concat(slices.Collect(func(yield func([]Run) bool) {
			signer.Each(body)(func(runs []Run) bool { return yield(slices.Clone(runs)) })
		})...)
		if !slices.Equal(got, want) {
			t.Fatalf("%s of %d times %q: %v, want %v", s, times, piece, got, want)
		}
		if got, want := AppendBodyEach(nil, signer.Each(body)), AppendBody(nil, want); !bytes.Equal(got, want) {
			t.Fatalf("%s of %d times %q: %q, want %q", s, times, piece, got, want)
		}
	})
}
