package front

import (
	"io"

	"github.com/spf13/pflag"

	"doppel/pkg/blockhash"
	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/filesum"
	"doppel/pkg/line"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// equalFiles finds the files that are equal.
func equalFiles() *tool.Command {
	return &tool.Command{
		Name:    "doppel files",
		Summary: "find the files that are equal, and list the copies",
		Usage:   "[FILE...]",
		Options: &finding{Common: tool.Common{Mem: 256 << 20}, verify: true},
	}
}

// finding says how equal files are found, and what is written of them.
type finding struct {
	tool.Common
	names  tool.Files
	verify bool // every byte is compared
	trust  bool // a hash of every byte is compared instead
	print0 bool // the names of the removable copies are written, each ended by NUL
}

// Flags registers the flags.
func (g *finding) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&g.verify, "verify", g.verify, "compare every byte of the files that share a size and a block hash")
	fs.BoolVar(&g.trust, "trust", g.trust, "compare a 128-bit hash of every byte instead")
	fs.BoolVar(&g.print0, "print0", g.print0, "write the names of the removable copies, each ended by NUL")
	g.names.Flags(fs)
	g.Common.Flags(fs, tool.Null|tool.JSON|tool.Header|tool.Memory|tool.Jobs|tool.Output|tool.Watch)
}

// Check refuses forms that exclude each other, and copies that are only likely
// to be equal among those that may be removed.
func (g *finding) Check() error {
	switch {
	case g.print0 && g.JSON:
		return tool.UsageError("--print0 and --json exclude each other")
	case g.print0 && !g.verify && !g.trust:
		return tool.UsageError("--print0 needs --verify or --trust")
	}
	return nil
}

// Run finds and lists them.
func (g *finding) Run(e *tool.Env, operands []string) error {
	if err := g.header(e); err != nil {
		return err
	}
	source, err := e.FileNames(&g.names, operands)
	if err != nil {
		return err
	}
	hash, err := blockhash.New(blockhash.XXH64, nil)
	if err != nil {
		return err
	}
	l := &lister{e: e, out: e.Out, links: g.names.Links(), copies: g.print0}
	return filegroup.Find(source, &filegroup.Options{
		Sum:     filesum.Options{Rule: blockhash.Default, Hash: hash, Links: l.links},
		Confirm: g.confirmation(),
		Jobs:    e.Jobs,
		Mem:     int64(e.Mem),
		Report:  e.Warn,
		Read:    e.HaveRead,
	}, l.write)
}

// header writes the names of the columns, where there are any.
func (g *finding) header(e *tool.Env) error {
	if g.print0 {
		return nil
	}
	return lines.Header(e, line.Group{})
}

// confirmation returns what the flags ask for.
func (g *finding) confirmation() filegroup.Confirmation {
	switch {
	case g.trust:
		return filegroup.Hash
	case g.verify:
		return filegroup.Bytes
	}
	return filegroup.Nothing
}

// A lister writes groups.
type lister struct {
	e      *tool.Env
	out    io.Writer
	links  files.Links
	copies bool // nothing but the names of all but the first
	groups int64
	line   []byte
}

// write writes a group, if two of its files at least are still unchanged.
func (l *lister) write(group *filegroup.Group) error {
	group.Check(l.links, l.e.Warn)
	if len(group.Members) < 2 {
		return nil
	}
	l.groups++
	for i := range group.Members {
		l.line = l.append(l.line[:0], &group.Members[i], i)
		if _, err := l.out.Write(l.line); err != nil {
			return err
		}
	}
	return nil
}

// append appends the line of the ith file of a group; the first one wastes
// nothing.
func (l *lister) append(dst []byte, m *filegroup.Member, i int) []byte {
	wasted := m.Info.Size
	if i == 0 {
		wasted = 0
	}
	switch {
	case !l.copies:
		g := line.Group{Group: l.groups, Size: m.Info.Size, Wasted: wasted, Name: m.Name}
		return g.Append(dst, line.Format{JSON: l.e.JSON, Null: l.e.Null})
	case i == 0:
		return dst
	}
	return append(append(dst, m.Name...), 0)
}
