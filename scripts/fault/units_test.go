//go:build linux

package main

import (
	"os"
	"strings"
	"testing"
)

// TestMessages holds a unit to being there only whole, and in any file.
func TestMessages(t *testing.T) {
	r := planted(t, nil)
	all := mails(seeded(1, "test"), 4)
	if err := makeMail(r.path("i"), all); err != nil {
		t.Fatal(err)
	}
	before := &left{units: messages(r)}
	if len(before.units) != 4 {
		t.Fatalf("%d units: %v", len(before.units), before.units)
	}
	if err := os.RemoveAll(r.path("i/maildir")); err != nil {
		t.Fatal(err)
	}
	if err := before.lost(messages(r)); err != nil {
		t.Errorf("the mbox has them all: %v", err)
	}
	if err := r.write("i/box", []byte(strings.Replace(r.read("i/box"), "end of unit002", "end of", 1))); err != nil {
		t.Fatal(err)
	}
	if err := before.lost(messages(r)); err == nil || !strings.Contains(err.Error(), "unit002") {
		t.Errorf("a torn message: %v", err)
	}
}

// TestTaker holds the harness to noticing what a tool that takes copies out loses, and
// what it leaves.
func TestTaker(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"good", "rm -f i/tree/b; echo b", ""},
		{"loses", "rm -f i/tree/b; echo b; [ -e o/again ] && rm i/tree/a; touch o/again", "lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := planted(t, map[string]string{"tool": c.script})
			for _, name := range []string{"tree/a", "tree/b", "tree/c", "maildir/x"} {
				if err := os.MkdirAll(r.inputs+"/"+strings.Split(name, "/")[0], 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(r.inputs+"/"+name, []byte(strings.Replace(name, "b", "a", 1)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(r.inputs+"/box", nil, 0o666); err != nil {
				t.Fatal(err)
			}
			tk := taker{"planted", "tool", contents}
			err := tk.stopped(r, asIs)
			if got := r.broken == nil && err == nil; got != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want %q", err, r.broken, c.want)
			}
		})
	}
}
