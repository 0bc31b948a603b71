package shared

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSharedMissesNothing checks that by default every passage of the given length has a kept
// fingerprint. One of every W consecutive windows of K bytes is kept, so the length must be W+K-1
// bytes.
func TestSharedMissesNothing(t *testing.T) {
	for n := 1; n < 300; n++ {
		s := Default()
		s.Sign.Window = strconv.Itoa(n)
		sign := s.sign()
		window, err := strconv.Atoi(sign.Window)
		if err != nil || window < 1 || sign.Winnow < 1 || window+sign.Winnow-1 != n || s.Check() != nil {
			t.Errorf("%d: windows of %s, the least of %d, %v", n, sign.Window, sign.Winnow, s.Check())
		}
	}
	s := Default()
	s.Sign.Criterion = "8"
	if sign := s.sign(); sign.Window != s.Sign.Window || sign.Winnow != 0 {
		t.Errorf("%s, %d", sign.Window, sign.Winnow)
	}
	s = Default()
	s.Sign.Window = "w9"
	if s.Check() == nil {
		t.Error("a window of words is taken, while what is shared is measured in bytes")
	}
}

// TestPlaces checks that find(1) does not read the name of a directory as an action such as
// -delete.
func TestPlaces(t *testing.T) {
	got := places([]string{"a", "/b", ".", "", "-delete", "--", "!", "(", "é"})
	want := []string{"a", "/b", ".", "", "./-delete", "./--", "./!", "./(", "é"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
