package front

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"doppel/pkg/filegroup"
	"doppel/pkg/filegroup/reclaim"
	"doppel/pkg/files"
	"doppel/pkg/line"
	"doppel/pkg/report/filereport"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A form is what a script does to copies. It is a pflag.Value.
type form string

// The forms.
const (
	rmForm      form = "rm"
	linkForm    form = "link"
	reflinkForm form = "reflink"
)

// Set sets the form.
func (f *form) Set(s string) error {
	if w := form(s); w != rmForm && w != linkForm && w != reflinkForm {
		return fmt.Errorf("want rm, link or reflink, not %q", s)
	}
	*f = form(s)
	return nil
}

func (f *form) String() string { return string(*f) }

// Type names the value in help.
func (f *form) Type() string { return "FORM" }

// action says what becomes of copies.
type action struct{ link, remove, yes bool }

func (a *action) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&a.link, "link", a.link, "make hard links of the copies")
	fs.BoolVar(&a.remove, "remove", a.remove, "remove the copies")
	fs.BoolVar(&a.yes, "yes", a.yes, "with --link or --remove, do it, not only show it")
}

func (a *action) way() reclaim.Way {
	switch {
	case a.link:
		return reclaim.Link
	case a.remove:
		return reclaim.Remove
	}
	return ""
}

func (a *action) check() error {
	switch {
	case a.link && a.remove:
		return tool.UsageError("--link and --remove exclude each other")
	case a.yes && a.way() == "":
		return tool.UsageError("--yes: to what? give it --link or --remove")
	}
	return nil
}

// A lister writes groups, or acts on them.
type lister struct {
	e     *tool.Env
	out   io.Writer
	o     *filesOptions
	links files.Links
	form  form               // of a script, or ""
	act   *reclaim.Reclaimer // or nil
	tally *filereport.Tally  // or nil
	clash string             // the output that is among the files to act on, or ""

	groups, copies, bytes, done int64
	line                        []byte
}

func newLister(e *tool.Env, g *filesOptions) *lister {
	l := &lister{e: e, out: e.Out, o: g, links: g.names.Links(), form: g.form}
	if way := g.acting.way(); way != "" {
		l.form = form(way)
		if g.acting.yes {
			l.act = &reclaim.Reclaimer{Way: way, Report: e.Warn, Done: l.tell, Whole: e.Whole}
		}
	}
	return l
}

// guard has files that are found compared with outputs, which would replace them.
func (l *lister) guard(o *filegroup.Options, outputs ...string) {
	if l.act == nil {
		return
	}
	var infos []files.Info
	var names []string
	for _, name := range outputs {
		if info, err := files.Stat([]byte(name), files.Follow); err == nil {
			infos, names = append(infos, info), append(names, name)
		}
	}
	o.Named = func(_ []byte, found *files.Info) {
		for i := range infos {
			if found.Dev == infos[i].Dev && found.Ino == infos[i].Ino {
				l.clash = names[i]
			}
		}
	}
}

// write writes a group, if two of its files at least are still unchanged.
func (l *lister) write(group *filegroup.Group) error {
	group.Check(l.links, l.e.Warn)
	return l.emit(group)
}

// emit writes a group that has a copy.
func (l *lister) emit(group *filegroup.Group) error {
	if len(group.Members) < 2 {
		return nil
	}
	copies := group.Choose(l.o.keep)
	if len(copies) == 0 {
		return nil
	}
	kept := &group.Members[0]
	l.groups++
	l.copies += int64(len(copies))
	l.bytes += int64(len(copies)) * kept.Info.Size
	if l.tally != nil {
		l.tally.Add(group, copies)
	}
	switch {
	case l.act != nil && l.clash != "":
		return fmt.Errorf("%s is an output, and among the files", l.clash)
	case l.act != nil:
		return l.act.Group(kept, copies)
	case l.form != "" || l.o.print0:
		return l.names(kept, copies)
	}
	return l.list(group)
}

// list writes a line for each file; those that stay waste nothing.
func (l *lister) list(group *filegroup.Group) error {
	for i := range group.Members {
		m := &group.Members[i]
		g := line.Group{Group: l.groups, Size: m.Info.Size, Wasted: m.Info.Size, Name: m.Name}
		if i == 0 || m.Spared {
			g.Wasted = 0
		}
		l.line = g.Append(l.line[:0], line.Format{JSON: l.e.JSON, Null: l.e.Null})
		if _, err := l.out.Write(l.line); err != nil {
			return err
		}
	}
	return nil
}

// names writes something of each name of some copies.
func (l *lister) names(kept *filegroup.Member, copies []*filegroup.Member) error {
	for _, c := range copies {
		for _, name := range differing(c) {
			if err := l.tell(kept.Name, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// differing returns the names of a file without those that are another one written
// otherwise.
func differing(m *filegroup.Member) (all [][]byte) {
	seen := map[string]bool{}
	for _, name := range append([][]byte{m.Name}, m.Others...) {
		if clean := filepath.Clean(string(name)); !seen[clean] {
			seen[clean] = true
			all = append(all, name)
		}
	}
	return all
}

// tell writes what a script does to a name, or the name alone. With --yes it was done.
func (l *lister) tell(kept, name []byte) error {
	l.done++
	switch {
	case l.o.print0 || l.e.Null && l.form == rmForm:
		l.line = append(append(l.line[:0], name...), 0)
	case l.e.Null:
		l.line = append(append(append(append(l.line[:0], kept...), 0), name...), 0)
	default:
		l.line = append(append(l.line[:0], l.command(kept, name)...), '\n')
	}
	_, err := l.out.Write(l.line)
	return err
}

// quoted quotes a name for a shell, so that no program takes it for standard input.
func quoted(name []byte) string {
	if string(name) == "-" {
		return "./-"
	}
	return wording.Quote(string(name))
}

// command returns the line of a script. What is elsewhere cannot be compared.
//
// Two names may be of one file that is seen through two file systems, as by overlayfs, which
// no program can tell. So no name is replaced or removed before the file that stays is known
// to have another: a copy is renamed first, and gets its name back if the file that stays is
// gone, or has the new name too.
func (l *lister) command(kept, name []byte) string {
	k, n := quoted(kept), quoted(name)
	same := "cmp -s -- " + k + " " + n + " && "
	dir := bytes.LastIndexByte(name, '/') + 1
	beside := string(name[:dir]) + filegroup.Aside + string(name[dir:])
	t := wording.Quote(beside)
	switch {
	case l.form == linkForm:
		return same + "ln -- " + k + " " + t + " && mv -f -- " + t + " " + n
	case l.form == reflinkForm:
		temp := n + filegroup.Aside
		return same + "cp -p --attributes-only -- " + n + " " + temp + " && cp --reflink=always -- " + k + " " + temp +
			" && touch -r " + n + " -- " + temp + " && sync -- " + temp + " && mv -f -- " + temp + " " + n
	case l.o.known != "":
		return "rm -- " + n
	}
	other := "[ -e " + k + " ]"
	if d := filepath.Dir(string(kept)); d != filepath.Dir(string(name)) {
		other += " && [ ! -e " + wording.Quote(filepath.Join(d, filegroup.Aside+string(name[dir:]))) + " ]"
	}
	return same + "mv -n -- " + n + " " + t + " && [ ! -e " + n + " ] && { " + other + " && rm -- " + t + " || mv -n -- " + t + " " + n + "; }"
}

// sum tells what was found, and done.
func (l *lister) sum() {
	found := fmt.Sprintf("%s of equal files, %s", wording.Number(l.groups, "group"), copies(l.copies))
	switch {
	case l.act != nil && l.act.Way == reclaim.Link:
		l.e.Note("%s: %s linked, %s freed", found, wording.Number(l.done, "name"), wording.Number(l.act.Freed(), "byte"))
	case l.act != nil:
		l.e.Note("%s: %s removed, %s freed", found, wording.Number(l.done, "name"), wording.Number(l.act.Freed(), "byte"))
	case l.o.acting.way() != "":
		l.e.Note("%s: %s could be saved; nothing was done, --yes does it", found, wording.Number(l.bytes, "byte"))
	default:
		l.e.Note("%s: %s could be saved", found, wording.Number(l.bytes, "byte"))
	}
}

func copies(n int64) string {
	if n == 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}
