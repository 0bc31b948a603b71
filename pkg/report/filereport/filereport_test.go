package filereport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/report"
)

// group returns a group of files of the given size, and its members that are copies: all except the
// first.
func group(size int64, names ...string) (*filegroup.Group, []*filegroup.Member) {
	g := &filegroup.Group{}
	for _, n := range names {
		g.Members = append(g.Members, filegroup.Member{Name: []byte(n), Info: files.Info{Size: size, Allocated: 4096}})
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
		Run: report.Run{Version: "1"}, How: "so",
		Files: 9, Groups: 3, Copies: 5, Freed: 2025, LargestGroup: 3,
		Largest: []report.FileGroup{
			{Size: 1000, Copies: 2, Freed: 2000, Names: []string{"it's", "-", "d/x"}, Command: `doppel files -- 'it'\''s' ./- d/x`},
			{Size: 10, Copies: 2, Freed: 20, Names: []string{"a", "d/b", "d/e/c"}, Command: "doppel files -- a d/b d/e/c"},
			{Size: 5, Copies: 1, Freed: 5, Names: []string{"q", "tab\tname"}, Command: ""},
		},
		Directories: report.Places{Rows: []report.Place{{Name: "d", Things: 2, Gone: 1010}, {Name: ".", Things: 2, Gone: 1005}, {Name: "d/e", Things: 1, Gone: 10}}},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(report.Places{})); d != "" {
		t.Error(d)
	}
}

// TestElsewhere checks that groups have no command if Elsewhere is set.
func TestElsewhere(t *testing.T) {
	tally := New()
	tally.Elsewhere = true
	tally.Add(group(10, "far", "near"))
	if one := tally.Page(report.Run{}, "").Largest[0]; one.Command != "" || len(one.Names) != 2 {
		t.Errorf("%+v", one)
	}
}

// TestBounded checks that the size of the page is limited, however many files there are and however
// long their names are.
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
	if len(p.Largest) != mostGroups || len(p.Directories.Rows) != 50 || p.Directories.Rows[0].Name != "…" {
		t.Errorf("%d groups, %d directories, the first %s", len(p.Largest), len(p.Directories.Rows), p.Directories.Rows[0].Name)
	}
	if p.Copies != 3000*39 || p.Freed != 39*3000*3001/2 || p.Largest[0].More != 20 {
		t.Errorf("%d copies, %d bytes, %+v", p.Copies, p.Freed, p.Largest[0])
	}
	var out strings.Builder
	if err := p.Write(&out); err != nil || out.Len() > 1_000_000 {
		t.Errorf("%d bytes, %v", out.Len(), err)
	}
}
