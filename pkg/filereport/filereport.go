// Package filereport tallies groups of equal files for a page that people look at: what
// their copies take, by size, by group and by directory.
//
// It holds counts, the 50 groups of which most could be freed with up to 20 names
// each, and a row for each of the first 100,000 directories that have copies, of
// which the page shows 50. So the page takes less than 1 MB, whatever is found.
package filereport

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"doppel/pkg/best"
	"doppel/pkg/filegroup"
	"doppel/pkg/report"
	"doppel/pkg/wording"
)

// How much a page shows.
const (
	mostGroups      = 50
	mostNames       = 20   // of a group
	mostCommand     = 4000 // bytes
	mostDirectories = 50
	mostCounted     = 1e5 // directories
)

// A Tally is what was found so far.
type Tally struct {
	Files     int64 // that were looked at
	Elsewhere bool  // the first file of a group is not at hand, so that no command shows it

	groups, copies, freed, largest int64

	sizes       report.SizeCounts
	weights     weightCount
	heaviest    best.List[numberedGroup]
	directories map[string]*report.Directory
}

// A numberedGroup is a group, and which one it was.
type numberedGroup struct {
	report.FileGroup
	number int64
}

// New returns an empty tally.
func New() *Tally {
	t := &Tally{directories: map[string]*report.Directory{}}
	t.heaviest = best.List[numberedGroup]{Size: mostGroups, Compare: func(a, b numberedGroup) int {
		return cmp.Or(cmp.Compare(b.Freed, a.Freed), cmp.Compare(a.number, b.number))
	}}
	return t
}

// Add adds a group, whose first member stays, and those of its members that are copies.
func (t *Tally) Add(g *filegroup.Group, copies []*filegroup.Member) {
	size, n := g.Members[0].Info.Size, int64(len(copies))
	t.groups++
	t.copies += n
	t.freed += n * size
	t.largest = max(t.largest, int64(len(g.Members)))
	t.count(copies, size)
	one := numberedGroup{report.FileGroup{Size: size, Copies: n, Freed: n * size}, t.groups}
	if t.heaviest.Takes(one) {
		t.name(&one.FileGroup, g.Members[0].Name, copies)
		t.heaviest.Add(one)
	}
}

// count counts copies of a size in all tables.
func (t *Tally) count(copies []*filegroup.Member, size int64) {
	n := int64(len(copies))
	t.sizes.Add(n)
	t.weights.add(n, size)
	for _, c := range copies {
		d := t.directory(c.Name)
		d.Copies, d.Freed = d.Copies+1, d.Freed+size
	}
}

// directory returns the row of the directory of a file. There is one for all that come
// when there are too many.
func (t *Tally) directory(name []byte) *report.Directory {
	dir := path.Dir(string(name))
	if t.directories[dir] == nil && len(t.directories) >= mostCounted {
		dir = "…"
	}
	if t.directories[dir] == nil {
		t.directories[dir] = &report.Directory{Name: dir}
	}
	return t.directories[dir]
}

// name notes the names of a group, and the command that shows it.
func (t *Tally) name(g *report.FileGroup, kept []byte, copies []*filegroup.Member) {
	g.Names = []string{string(kept)}
	for _, c := range copies[:min(len(copies), mostNames-1)] {
		g.Names = append(g.Names, string(c.Name))
	}
	g.More = g.Copies + 1 - int64(len(g.Names))
	if !t.Elsewhere {
		g.Command = showing(g.Names)
	}
}

// showing returns the command that shows as many of some files as it has room for; none
// where a name could not be copied from the page.
func showing(names []string) string {
	text := "doppel files --"
	for i, name := range names {
		if name == "-" {
			name = "./-"
		}
		word := " " + wording.Quote(name)
		if report.Visible(word) != word || strings.ContainsAny(word, "\n\t") || i < 2 && len(text)+len(word) > mostCommand {
			return ""
		}
		if len(text)+len(word) > mostCommand {
			break
		}
		text += word
	}
	return text
}

// Page returns what is shown.
func (t *Tally) Page(run report.Run, how string) *report.FilesPage {
	p := &report.FilesPage{
		Title: "Equal files", Run: run, How: how, Files: t.Files,
		Groups: t.groups, Copies: t.copies, Freed: t.freed, LargestGroup: t.largest,
		Sizes: t.sizes.Rows(), Weights: t.weights.rows(),
	}
	for _, one := range t.heaviest.All {
		p.Largest = append(p.Largest, one.FileGroup)
	}
	p.Directories, p.OtherDirectories = t.rows()
	return p
}

// rows returns the directories whose copies take most, and how many others there are.
func (t *Tally) rows() ([]report.Directory, int64) {
	var all []report.Directory
	for _, d := range t.directories {
		all = append(all, *d)
	}
	slices.SortFunc(all, func(a, b report.Directory) int {
		return cmp.Or(cmp.Compare(b.Freed, a.Freed), cmp.Compare(a.Name, b.Name))
	})
	shown := min(len(all), mostDirectories)
	return all[:shown], int64(len(all) - shown)
}
