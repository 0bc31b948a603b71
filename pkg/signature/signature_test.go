package signature

import "testing"

func TestParse(t *testing.T) {
	l, err := Parse([]byte("id\tscheme\tbody"))
	if err != nil || string(l.ID) != "id" || string(l.Scheme) != "scheme" || string(l.Body) != "body" {
		t.Errorf("%s, %v", l, err)
	}
	for _, line := range []string{"", "id", "id\tscheme"} {
		if _, err := Parse([]byte(line)); err == nil {
			t.Errorf("%q is no error", line)
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
	if want := "two schemes: one at a:3, but two at b:7"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
