//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// harmedLists is a room in which few.jsonl has a text, a copy of it, and another text.
func harmedLists(t *testing.T) *room {
	r := planted(t, nil)
	const few = "{\"text\":\"one two\"}\n{\"text\":\"one two\"}\n{\"text\":\"two one\"}\n"
	if err := os.WriteFile(filepath.Join(r.inputs, "few.jsonl"), []byte(few), 0o666); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestListsNotice holds the checks of lists to noticing what is not so of the texts.
func TestListsNotice(t *testing.T) {
	for _, c := range []struct {
		name  string
		check func(*room, []byte) error
		out   string
		good  bool
	}{
		{"a copy", dropsCopies, "keep\t0\t-\t1\tx\ndrop\t1\t0\t1\tx\n", true},
		{"no copy", dropsCopies, "drop\t2\t0\t1\tx\n", false},
		{"no record", dropsCopies, "drop\t3\t0\t1\tx\n", false},
		{"no number", dropsCopies, "drop\tx\t0\t1\tx\n", false},
		{"equal bytes", spansOfFew, "drop\t1#0-7\t0#0-7\t1\tx\ndrop\t2#0-3\t0#4-7\t1\tx\n", true},
		{"other bytes", spansOfFew, "drop\t2#0-7\t0#0-7\t1\tx\n", false},
		{"beyond the end", spansOfFew, "drop\t1#0-8\t0#0-8\t1\tx\n", false},
		{"no span", spansOfFew, "drop\t1\t0\t1\tx\n", false},
		{"a page", page, "<html></html>\n", true},
		{"half a page", page, "<html></ht", false},
	} {
		r := harmedLists(t)
		if err := r.write("o/out", []byte(c.out)); err != nil {
			t.Fatal(err)
		}
		if err := c.check(r, nil); (err == nil) != c.good {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestJournal holds the harness to what a journal may be after a kill.
func TestJournal(t *testing.T) {
	j := &journal{states: []string{"a1\n", "a1\nb1\n", "a1\n", "a1\nb2\n"}, keys: []string{"a", "2ua"}}
	for now, good := range map[string]bool{
		"": true, "a": true, "a1\n": true, "a1\nb": true, "a1\nb1\n": true, "a1\nb2\n": true,
		"b": false, "a1": true, "a2\n": false, "a1\nb3\n": false, "a1\nb2\nc": false, "b2\n": false,
	} {
		if j.passes(now) != good {
			t.Errorf("%q: %v", now, !good)
		}
	}
	if got := j.after(0) + "|" + j.after(1) + "|" + j.after(2); got != "|a1\n|a1\nb2\n" {
		t.Errorf("%q", got)
	}
}

// TestJournalOrRefused holds a harmed journal to being left as it is, but for its end.
func TestJournalOrRefused(t *testing.T) {
	const harmed = "a1\nb"
	for _, c := range []struct {
		status int
		now    string
		good   bool
	}{{0, "a1\n", true}, {0, harmed, true}, {2, harmed, true}, {2, "a1\n", false}, {0, "", false}} {
		r := planted(t, nil)
		if err := r.write("i/x", []byte(c.now)); err != nil {
			t.Fatal(err)
		}
		if err := journalOrRefused(r, outcome{status: c.status}, []byte(harmed)); (err == nil) != c.good {
			t.Errorf("status %d, %q: %v", c.status, c.now, err)
		}
	}
}
