// Package files implements doppel files, which finds equal files, and lists, removes or links the
// copies.
//
// See man/doppel-files.1.
package files

import (
	"errors"
	"path"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/filegroup"
	"doppel/pkg/filegroup/reclaim"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/stage/equalfiles"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel files: how to find equal files, and what to write.
type Options struct {
	flags.Common
	equal equalfiles.Options

	keep      filegroup.Keep
	reference []string // directories whose files are always kept
	mustMatch bool     // act only on copies of a file in reference
	globs     []string // skip files whose names match none of these patterns
	known     string   // name of a file with the names and hashes of files stored elsewhere, or ""

	print0  bool         // write the names of the removable copies, each followed by NUL
	form    scriptAction // what the printed script does, or ""
	link    bool         // replace copies with hard links
	reflink bool         // let copies share the blocks of the kept file
	remove  bool         // remove copies
	yes     bool         // change the copies; otherwise only print what would be done

}

// Default returns options that compare every byte and keep the first file.
func Default() Options {
	return Options{Common: flags.Common{Mem: 256 << 20}, equal: equalfiles.Options{Verify: true}, keep: filegroup.First}
}

func (g *Options) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &g.equal, "verify", "trust")
	fs.Var(&g.keep, "keep", "keep `WHICH`: first (default), newest, oldest or shortest-path")
	fs.StringArrayVar(&g.reference, "reference", g.reference, "search `DIR` first, and keep its files; may be repeated")
	fs.BoolVar(&g.mustMatch, "must-match", g.mustMatch, "with --reference: leave out the groups without a file below it")
	flagset.Offer(fs, &g.equal, "min-size", "max-size")
	fs.StringArrayVar(&g.globs, "name", g.globs, "ignore files whose names, without directories, do not match `GLOB`; may be repeated")
	flagset.Offer(fs, &g.equal, "exclude", "one-file-system", "cache")
	fs.StringVar(&g.known, "known", g.known, "list the files whose hashes are in `LIST`, written by blockhash --full --hash xxh3-128")
	fs.BoolVar(&g.print0, "print0", g.print0, "write the names of the removable copies, ended by NUL")
	fs.Var(&g.form, "format", "write a script of `FORM`: rm, link or reflink; with -0, file names for xargs")
	fs.BoolVar(&g.link, "link", g.link, "replace the copies by hard links (needs --yes); without --yes, only show the commands")
	fs.BoolVar(&g.reflink, "reflink", g.reflink, "let the copies share the kept files' blocks (needs --yes); without --yes, only show the commands")
	fs.BoolVar(&g.remove, "remove", g.remove, "remove the copies (needs --yes); without --yes, only show the commands")
	fs.BoolVar(&g.yes, "yes", g.yes, "really change files (default: only show the changes); --link, --reflink or --remove says how")
	g.equal.Names.Flags(fs)
	g.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "known")
	flagset.Assign(fs, flagset.Kept, "keep", "reference", "must-match")
	flagset.Assign(fs, flagset.Actions, "link", "reflink", "remove", "yes")
	flagset.Assign(fs, flagset.Input, "name")
	flagset.Assign(fs, flagset.Output, "print0", "format")
}

// Essential returns the flags that -h shows.
func (g *Options) Essential() []string {
	return []string{"trust", "keep", "reference", "link", "reflink", "remove", "yes", "min-size", "exclude", "format", "json"}
}

// Check rejects flags that cannot be used together. It also rejects the removal or linking of
// copies without --verify or --trust, because such copies are only probably equal.
func (g *Options) Check() error {
	for flag, globs := range map[string][]string{"name": g.globs, "exclude": g.equal.Exclude} {
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
	case g.equal.Most > 0 && g.equal.Most < g.equal.Least:
		return tool.UsageError("--max-size %s is less than --min-size %s", &g.equal.Most, &g.equal.Least)
	case g.print0 && g.JSON:
		return tool.UsageError("--print0 and --json cannot be used together")
	case g.print0 && !g.equal.Verify && !g.equal.Trust:
		return tool.UsageError("--print0 needs --verify or --trust")
	case (g.form != "" || acts) && (g.print0 || g.JSON):
		return tool.UsageError("--format, --link, --reflink and --remove cannot be used with --print0 or --json")
	case (g.form != "" || acts) && !g.equal.Verify && !g.equal.Trust:
		return tool.UsageError("--format, --link, --reflink and --remove need --verify or --trust")
	case g.form != "" && acts:
		return tool.UsageError("--format cannot be used with --link, --reflink or --remove")
	case g.picks() && g.equal.Names.Follow:
		return tool.UsageError("--format, --print0, --link, --reflink and --remove cannot be used with --dereference, because they skip symbolic links")
	case g.known != "" && (acts || g.form == linkForm || g.form == reflinkForm || len(g.reference) > 0 || g.keep != filegroup.First):
		return tool.UsageError("--known lists files elsewhere, so it cannot be used with --link, --reflink, --remove, --reference, --keep or a --format other than rm")
	case flags.Count(g.link, g.reflink, g.remove) > 1:
		return tool.UsageError("--link, --reflink and --remove cannot be used together")
	case g.yes && !acts:
		return tool.UsageError("--yes needs --link, --reflink or --remove")
	}
	return nil
}

// picks reports whether the run picks copies to be removed or linked, by itself, by a script or by
// xargs. A run that picks copies does so only if everything that was named is there.
func (g *Options) picks() bool { return g.way() != "" || g.form != "" || g.print0 }

// way returns what a flag says to do with the copies, or "".
func (g *Options) way() reclaim.Way {
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

func (g *Options) Run(e *tool.Env, operands []string) error {
	if !g.print0 && g.form == "" && g.way() == "" {
		if err := lineio.Header(e, line.Group{}); err != nil {
			return err
		}
	}
	cache, err := g.equal.OpenCache(e)
	if err != nil {
		return err
	}
	source, err := g.source(e, operands)
	if err != nil {
		return err
	}
	o, err := g.equal.Filegroup(e, cache)
	if err != nil {
		return err
	}
	if len(g.reference) > 0 {
		o.Spared = g.matching(&references{dirs: g.reference, walk: g.equal.Walk})
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
	return cache.Write()
}
