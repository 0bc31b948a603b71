// Package filereport tallies groups of equal files for a page that people look at: what
// their copies take, by group and by directory.
//
// It holds counts, the 50 groups of which most could be freed with up to 20 names
// each, and a row for each of the first 100,000 directories that have copies, of
// which the page shows 50. So the page takes less than 1 MB, whatever is found.
package filereport

import (
	"cmp"
	"path"
	"strings"

	"doppel/pkg/best"
	"doppel/pkg/filegroup"
	"doppel/pkg/report"
	"doppel/pkg/wording"
)

// How much a page shows.
const (
	mostGroups  = 50
	mostNames   = 20   // of a group
	mostCommand = 4000 // bytes
)

// A Tally is what was found so far.
type Tally struct {
	Files     int64 // that were looked at
	Elsewhere bool  // the first file of a group is not at hand, so that no command shows it

	page     report.FilesPage
	heaviest best.List[numberedGroup]
}

// A numberedGroup is a group, and which one it was.
type numberedGroup struct {
	report.FileGroup
	number int64
}

// New returns an empty tally.
func New() *Tally {
	t := &Tally{}
	t.heaviest = best.List[numberedGroup]{Size: mostGroups, Compare: func(a, b numberedGroup) int {
		return cmp.Or(cmp.Compare(b.Freed, a.Freed), cmp.Compare(a.number, b.number))
	}}
	return t
}

// Add adds a group, whose first member stays, and those of its members that are copies.
func (t *Tally) Add(g *filegroup.Group, copies []*filegroup.Member) {
	size, n, p := g.Members[0].Info.Size, int64(len(copies)), &t.page
	p.Groups++
	p.Copies += n
	p.Freed += n * size
	p.LargestGroup = max(p.LargestGroup, int64(len(g.Members)))
	for _, c := range copies {
		p.Directories.Add([]byte(path.Dir(string(c.Name))), 1, size)
	}
	one := numberedGroup{report.FileGroup{Size: size, Copies: n, Freed: n * size}, p.Groups}
	if !t.heaviest.Takes(one) {
		return
	}
	one.Names = []string{string(g.Members[0].Name)}
	for _, c := range copies[:min(len(copies), mostNames-1)] {
		one.Names = append(one.Names, string(c.Name))
	}
	one.More = n + 1 - int64(len(one.Names))
	if !t.Elsewhere {
		one.Command = showing(one.Names)
	}
	t.heaviest.Add(one)
}

// showing returns the command that shows as many of some files as it has room for; none
// where a name could not be copied from the page.
func showing(names []string) string {
	text := "doppel files --"
	for i, name := range names {
		if name == "-" {
			name = "./-"
		}
		longer := wording.Command(text, name)
		if wording.Visible(name) != name || strings.ContainsAny(name, "\n\t") || i < 2 && len(longer) > mostCommand {
			return ""
		}
		if len(longer) > mostCommand {
			break
		}
		text = longer
	}
	return text
}

// Page returns what is shown, at the end.
func (t *Tally) Page(run report.Run, how string) *report.FilesPage {
	t.page.Run, t.page.How, t.page.Files = run, how, t.Files
	for _, one := range t.heaviest.All {
		t.page.Largest = append(t.page.Largest, one.FileGroup)
	}
	t.page.Directories.Fill(nil)
	return &t.page
}
