package schemes

import "testing"

func TestMethod(t *testing.T) {
	for scheme, want := range map[string]string{"exact/x/y": "exact", "exact": "exact", "": ""} {
		if got := Method(scheme); got != want {
			t.Errorf("%q: %q", scheme, got)
		}
	}
}

func TestGuard(t *testing.T) {
	var g Guard
	for range 2 {
		if err := g.Check([]byte("one"), "a", 3); err != nil {
			t.Error(err)
		}
	}
	err := g.Check([]byte("two"), "b", 7)
	if want := "b:7: the scheme is two, but a:3 has the scheme one"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
