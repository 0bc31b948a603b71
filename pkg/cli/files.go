package cli

import (
	"errors"
	"path"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/blockhash"
	"doppel/pkg/filegroup"
	"doppel/pkg/filegroup/reclaim"
	"doppel/pkg/files/filesum"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/msg"
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
	mustMatch bool         // act only on copies of a file in reference
	least     flagset.Size // skip files smaller than this
	most      flagset.Size // skip files larger than this; 0 means no limit
	globs     []string     // skip files whose names match none of these patterns
	exclude   []string     // skip files and directories whose names match any of these patterns
	oneSystem bool         // skip directories on other file systems
	cache     string       // name of the file that stores hashes, or ""
	known     string       // name of a file with the names and hashes of files stored elsewhere, or ""

	print0  bool // write the names of the removable copies, each followed by NUL
	form    form // form of the printed script, or ""
	link    bool // replace copies with hard links
	reflink bool // let copies share the blocks of the kept file
	remove  bool // remove copies
	yes     bool // change the copies; otherwise only print what would be done

	passed int64 // number of links and special files that walks passed over; counted atomically

	report string // name of the HTML page that shows the equal files, or ""
	timed  bool   // show the duration on the page
}

func defaultFiles() filesOptions {
	return filesOptions{Common: flags.Common{Mem: 256 << 20}, verify: true, keep: filegroup.First}
}

func (g *filesOptions) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&g.verify, "verify", g.verify, "compare every byte of the files that share a size and a block hash (default: on, off: --verify=false)")
	fs.BoolVar(&g.trust, "trust", g.trust, "compare 128-bit hashes of files, not their bytes")
	fs.Var(&g.keep, "keep", "keep `WHICH`: first (default), newest, oldest or shortest-path")
	fs.StringArrayVar(&g.reference, "reference", g.reference, "search `DIR` first, and keep its files; may be repeated")
	fs.BoolVar(&g.mustMatch, "must-match", g.mustMatch, "with --reference: leave out the groups without a file below it")
	fs.Var(&g.least, "min-size", "ignore files of fewer than `SIZE` bytes")
	fs.Var(&g.most, "max-size", "ignore files of more than `SIZE` bytes (default: no limit)")
	fs.StringArrayVar(&g.globs, "name", g.globs, "ignore files whose names, without directories, do not match `GLOB`; may be repeated")
	fs.StringArrayVar(&g.exclude, "exclude", g.exclude, "ignore files and directories whose names match `GLOB`; a name is compared without the directories above it; may be repeated")
	fs.BoolVar(&g.oneSystem, "one-file-system", g.oneSystem, "do not enter directories on other file systems")
	fs.StringVar(&g.cache, "cache", g.cache, "remember hashes in `FILE`")
	flags.MarkWritten(fs, "cache")
	fs.StringVar(&g.known, "known", g.known, "list the files whose hashes are in `LIST`, written by blockhash --full --hash xxh3-128")
	fs.BoolVar(&g.print0, "print0", g.print0, "write the names of the removable copies, ended by NUL")
	fs.Var(&g.form, "format", "write a script of `FORM`: rm, link or reflink; with -0, file names for xargs")
	fs.BoolVar(&g.link, "link", g.link, "replace the copies by hard links (needs --yes); without --yes, only show the commands")
	fs.BoolVar(&g.reflink, "reflink", g.reflink, "let the copies share the kept files' blocks (needs --yes); without --yes, only show the commands")
	fs.BoolVar(&g.remove, "remove", g.remove, "remove the copies (needs --yes); without --yes, only show the commands")
	fs.BoolVar(&g.yes, "yes", g.yes, "really change files (default: only show the changes); --link, --reflink or --remove says how")
	fs.StringVar(&g.report, "report", g.report, "write an HTML report of equal files to `FILE`; it shows the bytes that could be freed")
	flags.MarkWritten(fs, "report")
	fs.BoolVar(&g.timed, "timed", g.timed, "with --report: show how many seconds the run took")
	g.names.Flags(fs)
	g.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "verify", "trust", "known")
	flagset.Assign(fs, flagset.Kept, "keep", "reference", "must-match")
	flagset.Assign(fs, flagset.Actions, "link", "reflink", "remove", "yes")
	flagset.Assign(fs, flagset.Input, "min-size", "max-size", "name", "exclude", "one-file-system")
	flagset.Assign(fs, flagset.Output, "print0", "format")
	flagset.Assign(fs, flagset.Evidence, "report", "timed")
	flagset.Assign(fs, flagset.Resources, "cache")
}

// Essential returns the flags that -h shows.
func (g *filesOptions) Essential() []string {
	return []string{"trust", "keep", "reference", "link", "reflink", "remove", "yes", "min-size", "exclude", "format", "json", "report"}
}

// Check rejects flags that cannot be used together. It also rejects the removal or linking of
// copies without --verify or --trust, because such copies are only probably equal.
func (g *filesOptions) Check() error {
	for flag, globs := range map[string][]string{"name": g.globs, "exclude": g.exclude} {
		for _, glob := range globs {
			if _, err := path.Match(glob, ""); err != nil {
				return tool.UsageError("--%s %q: %w", flag, glob, err)
			}
		}
	}
	acts := g.way() != ""
	switch {
	case slices.Contains(g.reference, ""):
		return tool.UsageError("--reference \"\": want a directory or a file")
	case g.mustMatch && len(g.reference) == 0:
		return tool.UsageError("--must-match needs --reference")
	case g.most > 0 && g.most < g.least:
		return tool.UsageError("--max-size %s is less than --min-size %s", &g.most, &g.least)
	case g.print0 && g.JSON:
		return tool.UsageError("--print0 and --json cannot be used together")
	case g.print0 && !g.verify && !g.trust:
		return tool.UsageError("--print0 needs --verify or --trust")
	case (g.form != "" || acts) && (g.print0 || g.JSON):
		return tool.UsageError("--format, --link, --reflink and --remove cannot be used with --print0 or --json")
	case (g.form != "" || acts) && !g.verify && !g.trust:
		return tool.UsageError("--format, --link, --reflink and --remove need --verify or --trust")
	case g.form != "" && acts:
		return tool.UsageError("--format cannot be used with --link, --reflink or --remove")
	case g.picks() && g.names.Follow:
		return tool.UsageError("--format, --print0, --link, --reflink and --remove cannot be used with --dereference, because they skip symbolic links")
	case g.known != "" && (acts || g.form == linkForm || g.form == reflinkForm || len(g.reference) > 0 || g.keep != filegroup.First):
		return tool.UsageError("--known lists files elsewhere, so it cannot be used with --link, --reflink, --remove, --reference, --keep or a --format other than rm")
	case g.timed && g.report == "":
		return tool.UsageError("--timed needs --report")
	case g.report != "" && g.yes:
		return tool.UsageError("--report shows what could be done, so it cannot be used with --yes")
	case flags.Count(g.link, g.reflink, g.remove) > 1:
		return tool.UsageError("--link, --reflink and --remove cannot be used together")
	case g.yes && !acts:
		return tool.UsageError("--yes needs --link, --reflink or --remove")
	}
	return nil
}

// picks reports whether the run picks copies to be removed or linked, by itself, by a script or by
// xargs. A run that picks copies does so only if everything that was named is there.
func (g *filesOptions) picks() bool { return g.way() != "" || g.form != "" || g.print0 }

// way returns what a flag says to do with the copies, or "".
func (g *filesOptions) way() reclaim.Way {
	switch {
	case g.link:
		return reclaim.Link
	case g.reflink:
		return reclaim.Reflink
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
	cache, err := g.openCache(e)
	if err != nil {
		return err
	}
	source, err := g.source(e, operands)
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
	if spared, ok := errors.AsType[*filegroup.SparedError](err); ok {
		return msg.WithHint(spared.Err, "nothing was listed or changed, because every file below --reference must be readable")
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
	return cache.write()
}

func (g *filesOptions) options(e *tool.Env, cache *openCache) (*filegroup.Options, error) {
	hash, err := blockhash.New(blockhash.XXH64, nil)
	o := &filegroup.Options{
		Sum:     filesum.Options{Rule: blockhash.Default, Hash: hash, Links: g.names.Links()},
		Confirm: g.confirmation(),
		Cache:   cache.hashes(),
		MinSize: int64(g.least),
		MaxSize: int64(g.most),
		Jobs:    e.Jobs,
		Mem:     int64(e.Mem),
		Report:  e.Warn,
		Read:    e.HaveRead,
	}
	if len(g.reference) > 0 {
		o.Spared = g.matching(&references{dirs: g.reference, walk: g.walk})
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
