package files

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"doppel/pkg/filegroup"
	"doppel/pkg/filegroup/reclaim"
	"doppel/pkg/files"
	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/tool"
)

// A scriptAction says what a printed script does with the copies. *scriptAction is a pflag.Value.
type scriptAction string

// The actions.
const (
	rmForm      scriptAction = "rm"
	linkForm    scriptAction = "link"
	reflinkForm scriptAction = "reflink"
)

func (f *scriptAction) Set(s string) error {
	if w := scriptAction(s); w != rmForm && w != linkForm && w != reflinkForm {
		return fmt.Errorf("invalid form %q: want rm, link or reflink", s)
	}
	*f = scriptAction(s)
	return nil
}

func (f *scriptAction) String() string { return string(*f) }

func (f *scriptAction) Type() string { return "FORM" }

// A lister writes groups of equal files, or removes or links their copies.
type lister struct {
	e     *tool.Env
	out   io.Writer
	o     *Options
	links files.Links
	form  scriptAction       // what the printed script does, or ""
	act   *reclaim.Reclaimer // removes or links the copies; nil without --yes

	groups, copies, bytes int64
	line                  []byte
}

// newLister returns a lister. It makes o.Named look for the outputs among the files.
func newLister(e *tool.Env, g *Options, o *filegroup.Options) *lister {
	l := &lister{e: e, out: e.Out, o: g, links: g.equal.Names.Links(), form: g.form}
	way := g.way()
	if way != "" {
		l.form = scriptAction(way)
	}
	compared := g.equal.Named(e)
	o.Named = func(name []byte, found *files.Info) error { return compared(found) }
	if way != "" && g.yes {
		l.act = &reclaim.Reclaimer{Way: way, Report: e.Warn, Log: l.writeCommand, Whole: e.Whole}
	}
	return l
}

// write handles a group that has copies. Depending on the flags, it writes a line for each file,
// writes the script or the names for the copies, or removes or links the copies.
func (l *lister) write(group *filegroup.Group) error {
	if len(group.Members) < 2 {
		return nil
	}
	copies := group.Choose(l.o.keep)
	kept := &group.Members[0]
	if l.act == nil {
		copies = l.possible(kept, copies)
	}
	if len(copies) == 0 || l.o.mustMatch && !kept.Spared {
		return nil
	}
	l.groups++
	l.copies += int64(len(copies))
	for _, c := range copies {
		l.bytes += c.Saves()
	}
	switch {
	case l.act != nil:
		return l.act.Group(kept, copies)
	case l.form != "" || l.o.print0:
		return l.names(kept, copies)
	}
	for i := range group.Members { // the kept file and the files in --reference directories waste no bytes
		m := &group.Members[i]
		g := line.Group{Group: l.groups, Size: m.Info.Size, Wasted: m.Saves(), Name: m.Name}
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

// possible returns the copies that can be linked, if the script is to link them, and reports the
// others. It leaves out the copies that share the blocks of the kept file already.
func (l *lister) possible(kept *filegroup.Member, copies []*filegroup.Member) (all []*filegroup.Member) {
	if l.form != linkForm && l.form != reflinkForm {
		return copies
	}
	for _, c := range copies {
		var err error
		var shared bool
		if l.form == linkForm {
			err = reclaim.Linkable(kept, c)
		} else {
			shared, err = reclaim.Shareable(kept, c)
		}
		switch {
		case err != nil:
			l.e.Warn(err)
		case !shared:
			all = append(all, c)
		}
	}
	return all
}

// names calls writeCommand for each name of each copy, but only once for different spellings of the
// same name, such as a and ./a. A copy that will share blocks is named once, since all its names
// then share them.
func (l *lister) names(kept *filegroup.Member, copies []*filegroup.Member) error {
	for _, c := range copies {
		seen := map[string]bool{}
		names := [][]byte{c.Name}
		if l.form != reflinkForm {
			names = append(names, c.Others...)
		}
		for _, name := range names {
			clean := filepath.Clean(string(name))
			if seen[clean] {
				continue
			}
			seen[clean] = true
			if err := l.writeCommand(kept.Name, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeCommand writes the script's command for a name of a copy. Depending on the flags, it writes
// only the names instead. With --yes, the reclaimer calls writeCommand for each name just before the
// removed or replaced file is gone.
func (l *lister) writeCommand(kept, name []byte) error {
	switch {
	case l.o.print0 || l.e.Null && l.form == rmForm:
		l.line = append(append(l.line[:0], name...), 0)
	case l.e.Null:
		l.line = append(append(append(append(l.line[:0], kept...), 0), name...), 0)
	default:
		l.line = append(append(l.line[:0], l.command(kept, name)...), '\n')
	}
	if l.act != nil {
		return l.e.WriteAhead(l.line)
	}
	_, err := l.out.Write(l.line)
	return err
}

// quoted quotes a file name for a shell. It changes the name "-" to "./-", because many programs
// read standard input if an operand is "-".
func quoted(name []byte) string {
	if string(name) == "-" {
		return "./-"
	}
	return msg.Quote(string(name))
}

// command returns the script's line for a copy. With --known, the line does not compare the copy
// with the kept file, because the kept file may be on another machine. A line that links the copy
// calls this program, because no other one compares access lists and attributes, and none links
// files without a moment at which one of the names is missing.
//
// With overlayfs, the copy and the kept file can be one file that appears in two file systems, and
// no program can detect that. So that no data are lost in this case, a line that compares and
// removes the copy first renames it. It then removes the renamed copy if the kept file still exists
// and, where the kept file is in another directory, the new name of the copy does not appear there.
// Otherwise it restores the old name of the copy.
func (l *lister) command(kept, name []byte) string {
	k, n := quoted(kept), quoted(name)
	switch {
	case l.form == linkForm || l.form == reflinkForm:
		return "doppel files --" + string(l.form) + " --yes --reference=" + k + " -- " + n
	case l.o.known != "":
		return "rm -- " + n
	}
	dir := bytes.LastIndexByte(name, '/') + 1
	aside := filegroup.Aside + string(name[dir:min(len(name), dir+longestName-len(filegroup.Aside))])
	t := msg.Quote(string(name[:dir]) + aside)
	other := "[ -e " + k + " ]"
	if d := filepath.Dir(string(kept)); d != filepath.Dir(string(name)) {
		other += " && [ ! -e " + msg.Quote(filepath.Join(d, aside)) + " ]"
	}
	return "cmp -s -- " + k + " " + n + " && " + "mv -n -- " + n + " " + t + " && [ ! -e " + n + " ] && { " + other + " && rm -- " + t + " || mv -n -- " + t + " " + n + "; }"
}

// longestName is the number of bytes that the name of a file, without directories, can have.
const longestName = 255

// printTotals prints how many groups were found and what was done with the copies.
func (l *lister) printTotals() {
	if n := l.o.equal.Passed(); n > 0 {
		l.e.Note("%s left out: symbolic links and special files", msg.Number(n, "name"))
	}
	found := fmt.Sprintf("%s of equal files, %s", msg.Number(l.groups, "group"), msg.Number(l.copies, "copy"))
	switch {
	case l.act != nil && l.act.Way == reclaim.Link:
		l.e.Note("%s: %s linked, %s freed", found, msg.Number(l.act.Names(), "name"), msg.Number(l.act.Freed(), "byte"))
	case l.act != nil && l.act.Way == reclaim.Reflink:
		l.e.Note("%s: %s now sharing blocks, %s freed", found, msg.Number(l.act.Names(), "file"), msg.Number(l.act.Freed(), "byte"))
	case l.act != nil:
		l.e.Note("%s: %s removed, %s freed", found, msg.Number(l.act.Names(), "name"), msg.Number(l.act.Freed(), "byte"))
	case l.o.way() != "":
		l.e.Note("%s: %s could be saved; nothing was changed; to change files, add --yes", found, msg.Number(l.bytes, "byte"))
	default:
		l.e.Note("%s: %s could be saved", found, msg.Number(l.bytes, "byte"))
	}
}
