package filegroup

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/files"
)

func TestChoose(t *testing.T) {
	group := func() *Group {
		m := func(name string, mtime int64) Member {
			return Member{Name: []byte(name), Info: files.Info{Mtime: files.Time{Sec: mtime}}}
		}
		return &Group{[]Member{m("d/long name", 5), m("b", 7), m("c", 7), m("z/.doppel-x", 9), m("a/b/c", 1)}}
	}
	for _, c := range []struct {
		keep   Keep
		spared int // index of the spared member, or -1
		want   []string
	}{
		{First, -1, []string{"d/long name", "b", "c", "z/.doppel-x", "a/b/c"}},
		{Newest, -1, []string{"b", "d/long name", "c", "z/.doppel-x", "a/b/c"}},
		{Oldest, -1, []string{"a/b/c", "d/long name", "b", "c", "z/.doppel-x"}},
		{Shortest, -1, []string{"b", "d/long name", "c", "z/.doppel-x", "a/b/c"}},
		{Newest, 4, []string{"a/b/c", "d/long name", "b", "c", "z/.doppel-x"}},
		{First, 3, []string{"z/.doppel-x", "d/long name", "b", "c", "a/b/c"}},
	} {
		g := group()
		if c.spared >= 0 {
			g.Members[c.spared].Spared = true
		}
		copies := g.Choose(c.keep)
		var names []string
		for _, m := range g.Members {
			names = append(names, string(m.Name))
		}
		if d := cmp.Diff(c.want, names); d != "" || len(copies) != 4 {
			t.Errorf("%s, %d spared: %s%d copies", c.keep, c.spared, d, len(copies))
		}
	}
	g := group()
	g.Members[1].Spared, g.Members[2].Spared = true, true
	if copies := g.Choose(First); len(copies) != 3 || string(copies[0].Name) != "d/long name" {
		t.Errorf("%v", copies)
	}
}

// TestChooseAside checks that one file is kept even if all have temporary names.
func TestChooseAside(t *testing.T) {
	g := &Group{[]Member{{Name: []byte(".doppel-a")}, {Name: []byte(".doppel-b")}}}
	if copies := g.Choose(First); len(copies) != 1 || string(g.Members[0].Name) != ".doppel-a" {
		t.Errorf("%v", copies)
	}
}
