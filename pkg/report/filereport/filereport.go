// Package filereport collects the data for a page about equal files: the disk space that their
// copies take, by group and by directory.
//
// A [Tally] holds the 50 groups whose copies take the most space, with up to 20 names each. It also
// holds the counts of the first 100,000 directories with copies; the page shows 50 of these
// directories. So the page is always smaller than 1 MB.
package filereport

import (
	"cmp"
	"path"
	"strings"

	"doppel/pkg/filegroup"
	"doppel/pkg/msg"
	"doppel/pkg/report"
	"doppel/pkg/topk"
)

const (
	mostGroups  = 50
	mostNames   = 20   // maximum number of names listed for a group
	mostCommand = 4000 // maximum length of a command in bytes
)

// A Tally counts the groups found so far and keeps those shown on the page.
type Tally struct {
	Files     int64 // number of files examined
	Elsewhere bool  // whether the first file of a group may be on another machine; if so, the page has no commands that show groups

	page     report.FilesPage
	heaviest topk.List[numberedGroup]
}

// A numberedGroup is a group with its number: 1 for the first group added, and so on.
type numberedGroup struct {
	report.FileGroup
	number int64
}

// New returns an empty tally.
func New() *Tally {
	t := &Tally{}
	t.heaviest = topk.List[numberedGroup]{Size: mostGroups, Compare: func(a, b numberedGroup) int {
		return cmp.Or(cmp.Compare(b.Freed, a.Freed), cmp.Compare(a.number, b.number))
	}}
	return t
}

// Add counts a group. Its first member is kept; the slice copies holds the members to be removed.
func (t *Tally) Add(g *filegroup.Group, copies []*filegroup.Member) {
	size, n, p := g.Members[0].Info.Size, int64(len(copies)), &t.page
	p.Groups++
	p.Copies += n
	freed := int64(0)
	for _, c := range copies {
		freed += c.Saves()
	}
	p.Freed += freed
	p.LargestGroup = max(p.LargestGroup, int64(len(g.Members)))
	for _, c := range copies {
		p.Directories.Add([]byte(path.Dir(string(c.Name))), 1, c.Saves())
	}
	one := numberedGroup{report.FileGroup{Size: size, Copies: n, Freed: freed}, p.Groups}
	if !t.heaviest.Takes(one) {
		return
	}
	one.Names = []string{string(g.Members[0].Name)}
	for _, c := range copies[:min(len(copies), mostNames-1)] {
		one.Names = append(one.Names, string(c.Name))
	}
	one.More = n + 1 - int64(len(one.Names))
	if !t.Elsewhere {
		one.Command = showCommand(one.Names)
	}
	t.heaviest.Add(one)
}

// showCommand returns a command that shows the group, with as many names as fit into mostCommand
// bytes. It returns "" if a name has characters that cannot be copied from the page, or if not even
// two names fit.
func showCommand(names []string) string {
	text := "doppel files --"
	for i, name := range names {
		if name == "-" {
			name = "./-"
		}
		longer := msg.Command(text, name)
		if msg.Visible(name) != name || strings.ContainsAny(name, "\n\t") || i < 2 && len(longer) > mostCommand {
			return ""
		}
		if len(longer) > mostCommand {
			break
		}
		text = longer
	}
	return text
}

// Page returns a page about the groups passed to Add. It must be called once, after the last Add.
// Its arguments become the fields Run and How of the page.
func (t *Tally) Page(run report.Run, how string) *report.FilesPage {
	t.page.Run, t.page.How, t.page.Files = run, how, t.Files
	for _, one := range t.heaviest.All {
		t.page.Largest = append(t.page.Largest, one.FileGroup)
	}
	t.page.Directories.Fill(nil)
	return &t.page
}
