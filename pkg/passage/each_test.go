package passage

import (
	"bytes"
	"slices"
	"testing"

	"doppel/pkg/text"
)

// all collects the runs that Each yields for a text.
func (s *Signer) all(text []byte) (runs []Run) {
	for part := range s.Each(text) {
		runs = append(runs, part...)
	}
	return runs
}

// unchunked returns the runs of a text, without dividing the text into chunks.
func (s *Signer) unchunked(text []byte) []Run {
	s.least = leastHash{width: s.scheme.Length - s.scheme.Window + 1, at: -1}
	n, hashes := len(text), []uint64(nil)
	if s.scheme.Unit == Bytes {
		hashes = s.hasher.AppendBytes(nil, text)
	} else {
		s.units.Set(text)
		n, hashes = len(s.units.values), s.hasher.AppendValues(nil, s.units.values)
	}
	passages := n - s.scheme.Length + 1
	if passages <= 0 {
		return nil
	}
	return s.least.end(s.least.scan(nil, hashes, 0, passages), passages)
}

// bodyOf returns the body that encodes the runs.
func bodyOf(runs []Run) []byte { return AppendBody(nil, slices.Values([][]Run{runs})) }

// FuzzEach checks that dividing a text into chunks does not change its runs or its signature. It
// repeats the fuzz input, because a chunk has thousands of units.
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
		got, want := signer.all(body), signer.unchunked(body)
		if !slices.Equal(got, want) {
			t.Fatalf("%s of %d times %q: %v, want %v", s, times, piece, got, want)
		}
		if got, want := AppendBody(nil, signer.Each(body)), bodyOf(want); !bytes.Equal(got, want) {
			t.Fatalf("%s of %d times %q: %q, want %q", s, times, piece, got, want)
		}
	})
}
