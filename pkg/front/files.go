package front

import (
	"errors"
	"io/fs"
	"path"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/blockhash"
	"doppel/pkg/filegroup"
	"doppel/pkg/filegroup/reclaim"
	"doppel/pkg/files"
	"doppel/pkg/files/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// filesOptions holds the options of doppel files: how to find equal files, and what to write.
type filesOptions struct {
	flags.Common
	names  tool.Files
	verify bool // compare every byte of possibly equal files
	trust  bool // compare hashes of whole files instead of their bytes

	keep      filegroup.Keep
	reference []string     // directories whose files are always kept
	least     flagset.Size // skip files smaller than this
	globs     []string     // skip files whose names match none of these patterns
	cache     string       // name of the file that stores hashes, or ""
	known     string       // name of a file with the names and hashes of files stored elsewhere, or ""

	print0 bool // write the names of the removable copies, each followed by NUL
	form   form // form of the printed script, or ""
	link   bool // replace copies with hard links
	remove bool // remove copies
	yes    bool // link or remove the copies; otherwise only print what would be done

	report string // name of the HTML page that shows the equal files, or ""
	timed  bool   // show the duration on the page
}

func defaultFiles() filesOptions {
	return filesOptions{Common: flags.Common{Mem: 256 << 20}, verify: true, keep: filegroup.First}
}

func (g *filesOptions) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&g.verify, "verify", g.verify, "compare every byte of the files that share a size and a block hash")
	fs.BoolVar(&g.trust, "trust", g.trust, "compare 128-bit hashes of the whole files, not their bytes")
	fs.Var(&g.keep, "keep", "keep one file of each group: first, newest, oldest or shortest-path")
	fs.StringArrayVar(&g.reference, "reference", g.reference, "search `DIR` first, and keep its files; may be repeated")
	fs.Var(&g.least, "min-size", "ignore files of fewer than `SIZE` bytes")
	fs.StringArrayVar(&g.globs, "name", g.globs, "ignore files whose names, without directories, do not match `GLOB`; may be repeated")
	fs.StringVar(&g.cache, "cache", g.cache, "remember hashes in `FILE`")
	flags.MarkWritten(fs, "cache")
	fs.StringVar(&g.known, "known", g.known, "list the files whose hashes are in `LIST`, written by blockhash --full --hash xxh3-128")
	fs.BoolVar(&g.print0, "print0", g.print0, "write the names of the removable copies, ended by NUL")
	fs.Var(&g.form, "format", "write a script that removes or links the copies: rm, link or reflink; with -0, file names for xargs")
	fs.BoolVar(&g.link, "link", g.link, "replace the copies by hard links")
	fs.BoolVar(&g.remove, "remove", g.remove, "remove the copies")
	fs.BoolVar(&g.yes, "yes", g.yes, "with --link or --remove: change files; without it, only show the changes")
	fs.StringVar(&g.report, "report", g.report, "write an HTML report of equal files, and the bytes that could be freed, to `FILE`")
	flags.MarkWritten(fs, "report")
	fs.BoolVar(&g.timed, "timed", g.timed, "with --report: show how many seconds the run took")
	g.names.Flags(fs)
	g.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.Output|flags.Watch)
}

// Check rejects flags that cannot be used together. It also rejects the removal or linking of
// copies without --verify or --trust, because such copies are only probably equal.
func (g *filesOptions) Check() error {
	for _, glob := range g.globs {
		if _, err := path.Match(glob, ""); err != nil {
			return tool.UsageError("--name %q: %w", glob, err)
		}
	}
	acts := g.way() != ""
	switch {
	case g.print0 && g.JSON:
		return tool.UsageError("--print0 and --json cannot be used together")
	case g.print0 && !g.verify && !g.trust:
		return tool.UsageError("--print0 needs --verify or --trust")
	case (g.form != "" || acts) && (g.print0 || g.JSON):
		return tool.UsageError("--format, --link and --remove cannot be used with --print0 or --json")
	case (g.form != "" || acts) && !g.verify && !g.trust:
		return tool.UsageError("--format, --link and --remove need --verify or --trust")
	case g.form != "" && acts:
		return tool.UsageError("--format cannot be used with --link or --remove")
	case acts && g.names.Follow:
		return tool.UsageError("--link and --remove cannot be used with --dereference, because they skip symbolic links")
	case g.known != "" && (acts || g.form == linkForm || g.form == reflinkForm || len(g.reference) > 0 || g.keep != filegroup.First):
		return tool.UsageError("--known lists files elsewhere, so it cannot be used with --link, --remove, --reference, --keep or a --format other than rm")
	case g.timed && g.report == "":
		return tool.UsageError("--timed needs --report")
	case g.report != "" && g.yes:
		return tool.UsageError("--report shows what could be done, so it cannot be used with --yes")
	case g.link && g.remove:
		return tool.UsageError("--link and --remove cannot be used together")
	case g.yes && !acts:
		return tool.UsageError("--yes needs --link or --remove")
	}
	return nil
}

// way returns reclaim.Link or reclaim.Remove if a flag selects it, otherwise "".
func (g *filesOptions) way() reclaim.Way {
	switch {
	case g.link:
		return reclaim.Link
	case g.remove:
		return reclaim.Remove
	}
	return ""
}

func (g *filesOptions) Run(e *tool.Env, operands []string) error {
	if !g.print0 && g.form == "" && g.way() == "" {
		if err := lineio.Header(e, line.Group{}); err != nil {
			return err
		}
	}
	source, err := g.source(e, operands)
	if err != nil {
		return err
	}
	cache, err := g.openCache()
	if err != nil {
		return err
	}
	o, err := g.options(e, cache)
	if err != nil {
		return err
	}
	l := newLister(e, g, o)
	if g.known != "" {
		var known *filegroup.Catalog
		if known, err = g.readKnown(e); err == nil {
			err = known.Find(source, o, l.write)
		}
	} else {
		err = filegroup.Find(source, o, func(group *filegroup.Group) error {
			group.Check(l.links, e.Warn)
			return l.write(group)
		})
	}
	if err != nil {
		return err
	}
	l.printTotals()
	if l.tally != nil {
		if err := l.writePage(operands); err != nil {
			return err
		}
	}
	return g.writeCache(e, cache)
}

func (g *filesOptions) options(e *tool.Env, cache *filegroup.Cache) (*filegroup.Options, error) {
	hash, err := blockhash.New(blockhash.XXH64, nil)
	o := &filegroup.Options{
		Sum:     filesum.Options{Rule: blockhash.Default, Hash: hash, Links: g.names.Links()},
		Confirm: g.confirmation(),
		Cache:   cache,
		MinSize: int64(g.least),
		Jobs:    e.Jobs,
		Mem:     int64(e.Mem),
		Report:  e.Warn,
		Read:    e.HaveRead,
	}
	if len(g.reference) > 0 {
		o.Spared = g.matching(files.NewWalk(g.reference, g.names.Links()))
	}
	return o, err
}

// confirmation returns the comparison selected by the flags.
func (g *filesOptions) confirmation() filegroup.Confirmation {
	switch {
	case g.trust:
		return filegroup.Hash
	case g.verify:
		return filegroup.Bytes
	}
	return filegroup.Nothing
}

// openCache reads the cache from the file named by --cache. It returns nil if the flag is not
// given, and an empty cache if the file does not exist.
func (g *filesOptions) openCache() (*filegroup.Cache, error) {
	if g.cache == "" {
		return nil, nil
	}
	now := time.Now().Unix()
	in, err := record.OpenStream(g.cache, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return filegroup.NewCache(nil, now)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	c, err := filegroup.NewCache(in, now)
	if err != nil {
		err = &files.Error{Name: g.cache, Err: err}
	}
	return c, err
}

func (g *filesOptions) writeCache(e *tool.Env, c *filegroup.Cache) error {
	if c == nil {
		return nil
	}
	out, err := e.Create(g.cache)
	if err != nil {
		return err
	}
	return c.Write(out)
}
