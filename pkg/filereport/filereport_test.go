package filereport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/report"
)

// group is files of a size, of which all but the first are copies.
func group(size int64, names ...string) (*filegroup.Group, []*filegroup.Member) {
	g := &filegroup.Group{}
	for _, n := range names {
		g.Members = append(g.Members, filegroup.Member{Name: []byte(n), Info: files.Info{Size: size}})
	}
	return g, g.Choose(filegroup.First)
}

func TestPage(t *testing.T) {
	tally := New()
	tally.Files = 9
	tally.Add(group(10, "a", "d/b", "d/e/c"))
	tally.Add(group(1000, "it's", "-", "d/x"))
	tally.Add(group(5, "q", "tab\tname"))
	got := tally.Page(report.Run{Version: "1"}, "so")
	want := &report.FilesPage{
		Title: "Equal files", Run: report.Run{Version: "1"}, How: "so",
		Files: 9, Groups: 3, Copies: 5, Freed: 2025, LargestGroup: 3,
		Weights: []report.Weight{{Label: "<1 kB", Copies: 3, Freed: 25}, {Label: "1–10 kB", Copies: 2, Freed: 2000}},
		Sizes:   []report.Size{{Label: "2", Groups: 1, Dropped: 1}, {Label: "3", Groups: 2, Dropped: 4}},
		Largest: []report.FileGroup{
			{Size: 1000, Copies: 2, Freed: 2000, Names: []string{"it's", "-", "d/x"}, Command: `doppel files -- 'it'\''s' ./- d/x`},
			{Size: 10, Copies: 2, Freed: 20, Names: []string{"a", "d/b", "d/e/c"}, Command: "doppel files -- a d/b d/e/c"},
			{Size: 5, Copies: 1, Freed: 5, Names: []string{"q", "tab\tname"}, Command: ""},
		},
		Directories: []report.Directory{{Name: "d", Copies: 2, Freed: 1010}, {Name: ".", Copies: 2, Freed: 1005}, {Name: "d/e", Copies: 1, Freed: 10}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What is elsewhere has no command.
func TestElsewhere(t *testing.T) {
	tally := New()
	tally.Elsewhere = true
	tally.Add(group(10, "far", "near"))
	if one := tally.Page(report.Run{}, "").Largest[0]; one.Command != "" || len(one.Names) != 2 {
		t.Errorf("%+v", one)
	}
}

// However much is found, and however it is called, the page is small.
func TestBounded(t *testing.T) {
	tally := New()
	for i := range int64(3000) {
		var names []string
		for j := range 40 {
			names = append(names, fmt.Sprintf("%d/%d/%s", i, j, strings.Repeat("n", 200)))
		}
		tally.Add(group(1+i, names...))
	}
	p := tally.Page(report.Run{}, "")
	if len(p.Largest) != mostGroups || len(p.Directories) != mostDirectories || p.Directories[0].Name != "…" {
		t.Errorf("%d groups, %d directories, the first %s", len(p.Largest), len(p.Directories), p.Directories[0].Name)
	}
	if p.Copies != 3000*39 || p.Freed != 39*3000*3001/2 || p.Largest[0].More != 20 {
		t.Errorf("%d copies, %d bytes, %+v", p.Copies, p.Freed, p.Largest[0])
	}
	var out strings.Builder
	if err := p.Write(&out); err != nil || out.Len() > 1_000_000 {
		t.Errorf("%d bytes, %v", out.Len(), err)
	}
}

func TestWeights(t *testing.T) {
	for size, want := range map[int64]string{1: "<1 kB", 999: "<1 kB", 1000: "1–10 kB", 1 << 20: "1–10 MB", 1e9: "≥1 GB", 1e12: "≥1 GB"} {
		var c weightCount
		c.add(2, size)
		rows := c.rows()
		if got := rows[len(rows)-1]; got != (report.Weight{Label: want, Copies: 2, Freed: 2 * size}) {
			t.Errorf("%d: %+v, want %s", size, got, want)
		}
	}
	if rows := new(weightCount).rows(); len(rows) > 0 {
		t.Errorf("of nothing: %v", rows)
	}
}
