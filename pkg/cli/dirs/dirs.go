// Package dirs implements doppel dirs, which finds directories that are equal, similar or part of
// others.
//
// See man/doppel-dirs.1.
package dirs

import (
	"errors"
	"os"

	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
	"doppel/pkg/filegroup/dirgroup"
	"doppel/pkg/files"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/stage/equalfiles"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel dirs, which finds pairs of directories that share files.
type Options struct {
	flags.Common
	pairs dirgroup.Options
	equal equalfiles.Options // options for finding equal files
}

// Default returns options that find directories with four of five files in common.
func Default() Options {
	return Options{
		Common: flags.Common{Mem: 256 << 20},
		pairs:  dirgroup.Options{Threshold: 0.8, Files: 2, Common: 100},
		equal:  equalfiles.Options{Verify: true},
	}
}

func (c *Options) Flags(fs *pflag.FlagSet) {
	fs.Float64VarP(&c.pairs.Threshold, "threshold", "t", c.pairs.Threshold, "pair directories sharing `T` (0 to 1) of files (default 0.8); T is a share, more than 0 and at most 1, of the files of one of the two")
	fs.Int64Var(&c.pairs.Files, "min-files", c.pairs.Files, "ignore directories with fewer than `N` files")
	fs.IntVar(&c.pairs.Common, "df", c.pairs.Common, "ignore file contents that more than `N` directories contain")
	flagset.Offer(fs, &c.equal, "min-size", "max-size", "exclude", "one-file-system", "trust", "cache", "dereference")
	fs.Lookup("trust").Usage = "compare 128-bit hashes of all bytes, not the bytes"
	c.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "threshold", "min-files", "df")
}

// Essential returns the flags that -h shows.
func (c *Options) Essential() []string {
	return []string{"threshold", "min-files", "trust", "min-size", "exclude", "one-file-system", "output", "json", "null", "cache", "mem", "jobs"}
}

func (c *Options) Check() error {
	switch {
	case !(0 < c.pairs.Threshold && c.pairs.Threshold <= 1):
		return tool.UsageError("--threshold %v: want more than 0 and at most 1", c.pairs.Threshold)
	case c.pairs.Files < 1:
		return tool.UsageError("--min-files %d: want 1 or more", c.pairs.Files)
	case c.pairs.Common < 2:
		return tool.UsageError("--df %d: want 2 or more", c.pairs.Common)
	}
	return nil
}

func (c *Options) Run(e *tool.Env, dirs []string) error {
	if len(dirs) == 0 {
		if e.StdinHolds() {
			return msg.WithHint(tool.UsageError("standard input is not read: want directories as operands"),
				"for a list of names: xargs -d '\\n' doppel dirs < LIST; for the current directory: doppel dirs .")
		}
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return tool.UsageError("%s: not a directory", dir)
		}
	}
	cache, err := c.equal.OpenCache(e)
	if err != nil {
		return err
	}
	tree, err := c.readTree(e, cache, dirgroup.Top(dirs))
	if err != nil {
		return err
	}
	if err := c.writePairs(e, tree); err != nil {
		return err
	}
	return cache.Write()
}

// readTree finds the equal files below directories, and returns a tree of all files.
func (c *Options) readTree(e *tool.Env, cache *equalfiles.Cache, dirs []string) (*dirgroup.Tree, error) {
	o, err := c.equal.Filegroup(e, cache)
	if err != nil {
		return nil, err
	}
	tree, walk := dirgroup.New(dirs), c.equal.Walk(dirs)
	walk.Passed = func(name []byte, mode uint32) {
		switch mode & unix.S_IFMT {
		case unix.S_IFDIR:
			tree.Entry(dirgroup.Directories, string(name))
		case unix.S_IFLNK:
			if target, err := os.Readlink(string(name)); err == nil {
				tree.Link(string(name), target)
				return
			}
			tree.Entry(dirgroup.Unread, string(name))
		default:
			tree.Entry(dirgroup.Special, string(name))
		}
	}
	o.Left = func(name []byte, info *files.Info) {
		class := dirgroup.Uncompared
		if info.Size == 0 {
			class = dirgroup.Empty
		}
		tree.Entry(class, string(name))
	}
	o.Report = func(err error) {
		if named, ok := errors.AsType[*files.Error](err); ok {
			tree.Entry(dirgroup.Unread, named.Name)
		}
		e.Warn(err)
	}
	compared := c.equal.Named(e)
	o.Named = func(name []byte, info *files.Info) error {
		err := compared(info)
		if err == nil {
			tree.File(string(name))
		}
		return err
	}
	return tree, filegroup.Find(walk, o, func(group *filegroup.Group) error {
		var names []string
		for _, m := range group.Members {
			for _, name := range append([][]byte{m.Name}, m.Others...) {
				names = append(names, string(name))
			}
		}
		tree.Equal(names, group.Members[0].Info.Size)
		return nil
	})
}

// writePairs writes the pairs of directories that are alike.
func (c *Options) writePairs(e *tool.Env, tree *dirgroup.Tree) error {
	pairs, common := tree.Pairs(c.pairs)
	if common > 0 {
		e.Note("%s ignored, each in more than %d directories; --df sets the limit", msg.Number(common, "file content"), c.pairs.Common)
	}
	if err := lineio.Header(e, line.Directories{}); err != nil {
		return err
	}
	for _, p := range pairs {
		row := line.Directories{
			Kind: []byte(p.Kind), Pair: line.Pair{A: []byte(p.A), B: []byte(p.B)},
			ShareA: p.ShareA(), ShareB: p.ShareB(), FilesA: p.FilesA, FilesB: p.FilesB, Bytes: p.Bytes,
		}
		for i, c := range p.Differs {
			if i > 0 {
				row.Differs = append(row.Differs, ',')
			}
			row.Differs = append(row.Differs, c.String()...)
		}
		if _, err := e.Out.Write(row.Append(e.Out.AvailableBuffer(), line.Format{JSON: e.JSON, Null: e.Null})); err != nil {
			return err
		}
	}
	return nil
}
