package front

import (
	"github.com/spf13/pflag"

	"doppel/pkg/blockhash"
	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/filesum"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// equalFiles finds the files that are equal.
func equalFiles() *tool.Command {
	var g grouping
	return tool.Adapt(&tool.Old{
		Name:    "doppel files",
		Summary: "find the files that are equal, and list the copies",
		Usage:   "[FILE...]",
		Shared:  tool.Null | tool.JSON | tool.Jobs | tool.Output | tool.Watch,
		Mem:     256 << 20,
		Flagger: g.register,
		Runner:  g.run,
	})
}

// A grouping is a run of doppel files.
type grouping struct {
	names                 tool.Files
	verify, trust, print0 bool

	e      *tool.Env
	links  files.Links
	enc    tsv.Encoder
	line   []byte
	groups int64
}

func (g *grouping) register(fs *pflag.FlagSet) {
	fs.BoolVar(&g.verify, "verify", true, "compare every byte of the files that share a size and a block hash")
	fs.BoolVar(&g.trust, "trust", false, "compare a 128-bit hash of every byte instead")
	fs.BoolVar(&g.print0, "print0", false, "write the names of the removable copies, each ended by NUL")
	tool.FileFlags(fs, &g.names)
}

func (g *grouping) run(e *tool.Env, args []string) error {
	confirm, err := g.confirmation(e)
	if err != nil {
		return err
	}
	source, err := e.FileNames(&g.names, args)
	if err != nil {
		return err
	}
	hash, err := blockhash.New(blockhash.XXH64, nil)
	if err != nil {
		return err
	}
	g.e, g.links = e, g.names.Links()
	g.enc = tsv.Encoder{Stream: tsv.Groups, JSON: e.JSON, Null: e.Null}
	return filegroup.Find(source, &filegroup.Options{
		Sum:     filesum.Options{Rule: blockhash.Default, Hash: hash, Links: g.links},
		Confirm: confirm,
		Jobs:    e.Jobs,
		Mem:     int64(e.Mem),
		Report:  e.Warn,
		Read:    e.HaveRead,
	}, g.write)
}

// confirmation returns what the flags ask for. What is only likely to be equal
// is never listed as removable.
func (g *grouping) confirmation(e *tool.Env) (filegroup.Confirmation, error) {
	switch {
	case g.print0 && e.JSON:
		return 0, tool.UsageError("--print0 and --json exclude each other")
	case g.trust:
		return filegroup.Hash, nil
	case g.verify:
		return filegroup.Bytes, nil
	case g.print0:
		return 0, tool.UsageError("--print0 needs --verify or --trust")
	}
	return filegroup.Nothing, nil
}

// write writes a group, if two of its files at least are still unchanged.
func (g *grouping) write(group *filegroup.Group) error {
	group.Check(g.links, g.e.Warn)
	if len(group.Members) < 2 {
		return nil
	}
	g.groups++
	for i := range group.Members {
		g.line = g.append(g.line[:0], &group.Members[i], i)
		if _, err := g.e.Out.Write(g.line); err != nil {
			return err
		}
	}
	return nil
}

// append appends the line of the ith file of a group; the first one wastes
// nothing.
func (g *grouping) append(dst []byte, m *filegroup.Member, i int) []byte {
	wasted := m.Info.Size
	if i == 0 {
		wasted = 0
	}
	switch {
	case !g.print0:
		g.enc.Begin(dst)
		g.enc.Int(g.groups)
		g.enc.Int(m.Info.Size)
		g.enc.Int(wasted)
		g.enc.Bytes(m.Name)
		return g.enc.End()
	case i == 0:
		return dst
	}
	return append(append(dst, m.Name...), 0)
}
