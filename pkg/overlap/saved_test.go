package overlap

import (
	"bytes"
	"testing"

	"doppel/pkg/text"
)

// savedIndex returns an index with 3 windows.
func savedIndex(t testing.TB) *Index {
	return indexOf(t, Options{Window: 2, Normalize: text.Aggressive, DF: 3}, ^uint64(0), "a b c", "short")
}

func TestParseHits(t *testing.T) {
	x := savedIndex(t)
	for list, want := range map[string]bool{
		"": true, "0:0-3": true, "2:1-9,0:0-0": true,
		"3:0-3": false, "0:3-0": false, "0:0-10": false, "0:-1-3": false, "0": false, "0:1": false, ",": false, "0:0-3,": false, ",0:0-3": false,
		"0:0-3 ": false, "99999999999999999999:0-3": false, "0:0-99999999999999999999": false, "-1:0-3": false,
	} {
		if hits, err := x.ParseHits(nil, []byte(list), 9); (err == nil) != want || err == nil && string(AppendHits(nil, hits)) != list {
			t.Errorf("%q: %v, %v", list, hits, err)
		}
	}
}

// FuzzParseHits checks that each parsed hit has a window of the index and a position inside the
// text.
func FuzzParseHits(f *testing.F) {
	f.Add([]byte("2:1-9,0:0-0"), int64(9))
	f.Add([]byte("0:0.0-1e0,"), int64(1))
	x := savedIndex(f)
	f.Fuzz(func(t *testing.T, list []byte, size int64) {
		hits, err := x.ParseHits(nil, list, size)
		for _, h := range hits {
			if int(h.Window) >= x.Windows() || h.Start < 0 || h.End < h.Start || int64(h.End) > size {
				t.Fatalf("%q: %+v", list, h)
			}
		}
		if again, other := x.ParseHits(nil, AppendHits(nil, hits), size); err == nil && (other != nil || !bytes.Equal(AppendHits(nil, again), AppendHits(nil, hits))) {
			t.Fatalf("%q: %v, %v", list, again, other)
		}
	})
}

// TestScheme checks that two indexes have different schemes if they give different numbers to
// windows, or exclude different windows.
func TestScheme(t *testing.T) {
	seen := map[string]string{}
	for name, x := range map[string]*Index{
		"plain":      savedIndex(t),
		"item":       indexOf(t, Options{Window: 2, Normalize: text.Aggressive, DF: 3}, ^uint64(0), "a b", "short"),
		"window":     indexOf(t, Options{Window: 3, Normalize: text.Aggressive, DF: 3}, ^uint64(0), "a b c", "short"),
		"normalize":  indexOf(t, Options{Window: 2, Normalize: text.None, DF: 3}, ^uint64(0), "a b c", "short"),
		"df":         indexOf(t, Options{Window: 2, Normalize: text.Aggressive}, ^uint64(0), "a b c", "short"),
		"test df":    indexOf(t, Options{Window: 2, Normalize: text.Aggressive, DF: 3, TestDF: 3}, ^uint64(0), "a b c", "short"),
		"two to one": indexOf(t, Options{Window: 2, Normalize: text.Aggressive, DF: 3}, ^uint64(0), "a b c short"),
	} {
		if other := seen[x.Scheme()]; other != "" {
			t.Errorf("%s and %s: %s", name, other, x.Scheme())
		}
		seen[x.Scheme()] = name
	}
	loose := Options{Window: 2, Normalize: text.Aggressive, DF: 3, Coverage: 1}
	if x := indexOf(t, loose, ^uint64(0), "a b c", "short"); x.Scheme() != savedIndex(t).Scheme() {
		t.Error("the coverage is in the scheme")
	}
}
