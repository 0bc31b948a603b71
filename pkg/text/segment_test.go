package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// inSegments returns Shinglers for all combinations of options, with and without a key. Their
// segments, except the last of a text, have at least the given number of bytes.
func inSegments(least int) (all []*Shingler) {
	for _, o := range allOptions() {
		for _, key := range [][]byte{nil, testKey} {
			s := NewSetShingler(o, key)
			s.segmentLeast = least
			all = append(all, s)
		}
	}
	return all
}

// uncut returns a Shingler that has the options of s, but does not cut texts into segments.
func (s *Shingler) uncut() *Shingler {
	w := NewSetShingler(s.opt, s.key)
	w.segmentLeast = 1 << 30
	return w
}

func (s *Shingler) collected(text []byte) (hashes []uint64) {
	for part := range s.Each(text) {
		hashes = append(hashes, part...)
	}
	return hashes
}

func compareSegments(t *testing.T, s *Shingler, text []byte) {
	t.Helper()
	w := s.uncut()
	if got, want := s.collected(text), w.Append(nil, text); !slices.Equal(got, want) {
		t.Fatalf("%v %v, key %t, of %q in segments of %d: %x, want %x", s.opt.Shingle, s.opt.Normalize, s.key != nil, text, s.segmentLeast, got, want)
	}
	if got, want := s.Normalized(nil, text), w.Normalized(nil, text); !bytes.Equal(got, want) {
		t.Fatalf("%v of %q in segments of %d: %q, want %q", s.opt.Normalize, text, s.segmentLeast, got, want)
	}
}

// FuzzSegments compares the hashes of a text in segments with those of the uncut text.
func FuzzSegments(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.text), byte(7))
	}
	for _, text := range []string{
		"one two three four five six seven", "漢字かな交じり文、ไทย ภาษา", "a\xffb \xe6\xbc \xf0\x90 x\xf0 é", "e\u0301 \u0301e ﬁ x² ㎏漢 각 가\u11a8",
		"\xf0 é漢 \xf0é", strings.Repeat("\x80", 40), "         ", "a" + strings.Repeat("\u0316\u0301", 20) + " b", "Ⱥ İ ß Σς ǅ",
	} {
		f.Add([]byte(text), byte(1))
		f.Add([]byte(text), byte(4))
	}
	f.Fuzz(func(t *testing.T, text []byte, least byte) {
		for _, s := range inSegments(1 + int(least)) {
			compareSegments(t, s, text)
		}
	})
}

// TestSegmentsHoldLittle checks that the buffers for a text of many segments stay within a small
// multiple of the segment size.
func TestSegmentsHoldLittle(t *testing.T) {
	for _, o := range []Options{Default, {Shingling{Chars, 5}, Aggressive}, {Shingling{Chars, 5}, None}} {
		for _, piece := range []string{"The quick brown fox. ", "漢字", "a, "} {
			s := NewShingler(o)
			text := []byte(strings.Repeat(piece, 8*segmentBytes/len(piece)))
			if got, want := len(s.collected(text)), len(s.uncut().Append(nil, text)); got != want {
				t.Errorf("%d shingles, want %d", got, want)
			}
			if held := cap(s.folded) + 4*cap(s.edges) + 8*cap(s.words) + cap(s.joined) + 8*cap(s.hashes); held > 24*segmentBytes {
				t.Errorf("%v of %q: %d bytes are held", o, piece, held)
			}
		}
	}
}
