package flagset

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Names are given one by one, listed in the order of the files, and replaced as a whole;
// the last name of a file counts, and may hold what tears others.
func TestNames(t *testing.T) {
	var n Names
	for _, s := range []string{"/dev/fd/4=b=c, d", "/dev/fd/3=<stdin>", "/dev/fd/3=a"} {
		if err := n.Set(s); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"/dev/fd/3=a", "/dev/fd/4=b=c, d"}
	if d := cmp.Diff(want, n.GetSlice()); d != "" || n["/dev/fd/4"] != "b=c, d" {
		t.Error(d)
	}
	again := Names{"x": "y"}
	if err := again.Replace(n.GetSlice()); err != nil || again.String() != n.String() {
		t.Errorf("%v, %v, want %v", again, err, n)
	}
	for what, set := range map[string]func(string) error{"set": n.Set, "append": n.Append, "replace": func(s string) error { return n.Replace([]string{s}) }} {
		if err := set("no name"); err == nil {
			t.Errorf("%s: no name is no error", what)
		}
	}
}
