// Package matchsub writes the substrings that the texts of pairs share.
//
// See man/matchsub.1.
package matchsub

import (
	"bytes"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/line"
	_ "doppel/pkg/record/parquet"
	stagelines "doppel/pkg/stage/lineio"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which matches are written, and how.
type Options struct {
	flags.Common
	Threshold  int                // minimum size of a match, in characters or, with Bytes, in bytes
	Matches    int                // maximum number of matches per pair, the largest first; -1 for no maximum
	Most       int                // with AllMatches: maximum output as a multiple of the size of a pair's longer text; 0 for no maximum
	Total      int                // maximum output for all pairs, in MB; further pairs are omitted; 0 for no maximum
	Bytes      bool               // compare bytes, not code points
	Normalize  text.Normalization // how texts are normalised before they are compared; not Aggressive
	Difflib    bool               // omit the matches that Python's difflib omits with autojunk
	AllMatches bool               // write every maximal match, even if matches cross or overlap
	Numbers    bool               // also write line numbers
	Summary    bool               // write how much text each pair shares, not the matches
	Base       []string           // files whose text is cut out of the matches
	Data       []string           // files of records that the pairs name; if empty, the pairs name files
	Show       Show               // how texts are shown to people
}

// all, as a value of Matches, means no maximum.
const all = -1

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{Common: flags.OfText(), Threshold: 5, Matches: all, Most: 16, Show: Show{Color: "auto"}}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("matchsub", "write the substrings that the texts of pairs share", "[PAIRS...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&o.Threshold, "threshold", "r", o.Threshold, "write matches of at least `N` characters")
	fs.IntVarP(&o.Matches, "matches", "n", o.Matches, "write the `N` largest matches of each pair (default: all)")
	fs.BoolVar(&o.Bytes, "bytes", o.Bytes, "count and compare bytes, not characters")
	fs.Var(&o.Normalize, "normalize", "normalise texts by `HOW`, such as balanced; one of: none, conservative or balanced; conservative ignores case and the amount of white space, balanced also punctuation and symbols")
	fs.BoolVar(&o.Difflib, "difflib", o.Difflib, "omit the matches that difflib omits with autojunk")
	fs.BoolVar(&o.AllMatches, "all-matches", o.AllMatches, "write every maximal match, even if matches cross")
	fs.IntVar(&o.Most, "most", o.Most, "with --all-matches: write at most `N` times the longer text of a pair, or 1 MB if that is more; 0 means no limit")
	fs.IntVar(&o.Total, "total", o.Total, "write at most `N` MB, and omit later pairs; 0 means no limit")
	fs.BoolVar(&o.Numbers, "line-numbers", o.Numbers, "write the line numbers of matches")
	fs.BoolVar(&o.Summary, "summary", o.Summary, "write one line per pair; it has the size of all matches, and the share of each text")
	fs.StringArrayVar(&o.Base, "base", o.Base, "ignore passages that are in `FILE`, such as a template; FILE may be a directory; may be repeated")
	fs.StringArrayVar(&o.Data, "records", o.Data, "read the texts from the records in `FILE`, not from files; may be repeated")
	o.Show.Flags(fs)
	o.Common.Flags(fs, flags.Records|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Matches, "threshold", "bytes", "normalize", "difflib", "base")
	flagset.Assign(fs, flagset.Output, "matches", "all-matches", "most", "total", "line-numbers", "summary")
	flagset.Assign(fs, flagset.Input, "records")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"threshold", "normalize", "base", "records", "field", "matches", "line-numbers", "summary", "all-matches", "show", "output", "jobs"}
}

// Check rejects options that are invalid or cannot be used together.
func (o *Options) Check() error {
	r := &o.Records
	ofRecords := r.ID != "" || r.Lines || r.WithFilename || !slices.Equal(r.Fields, Default().Records.Fields)
	switch {
	case o.Threshold < 1:
		return tool.UsageError("--threshold %d: want 1 or more", o.Threshold)
	case o.Matches < all:
		return tool.UsageError("--matches %d: want 0 or more", o.Matches)
	case o.AllMatches && o.Matches > maxHeld:
		return tool.UsageError("--matches %d: want at most %d with --all-matches", o.Matches, maxHeld)
	case o.Most < 0:
		return tool.UsageError("--most %d: want 0 or more", o.Most)
	case o.Total < 0:
		return tool.UsageError("--total %d: want 0 or more", o.Total)
	case o.Normalize == text.Aggressive:
		return tool.UsageError("--normalize aggressive: want none, conservative or balanced")
	case o.Difflib && o.AllMatches:
		return tool.UsageError("--difflib and --all-matches cannot be used together")
	case o.Summary && (o.Numbers || o.Matches != all || o.Show.On):
		return tool.UsageError("--summary cannot be used with --line-numbers, --matches or --show")
	case o.Show.On && (len(o.Base) > 0 || o.Numbers || o.Normalize != text.None):
		return tool.UsageError("--show cannot be used with --base, --line-numbers or --normalize")
	case o.Show.On && (o.Bytes || o.AllMatches || o.Header || o.JSON || o.Matches != all):
		return tool.UsageError("--show cannot be used with --matches, --bytes, --all-matches, --header or --json")
	case len(o.Data) == 0 && ofRecords:
		return tool.UsageError("--field, --id, --lines and -H need --records")
	case !o.Show.On && (o.Show.Color != "auto" || o.Show.Width != 0):
		return tool.UsageError("--color and --width need --show")
	case !slices.Contains([]string{"auto", "always", "never"}, o.Show.Color):
		return tool.UsageError("--color %q: want auto, always or never", o.Show.Color)
	case o.Show.Width != 0 && o.Show.Width < minWidth:
		return tool.UsageError("--width %d: want %d or more", o.Show.Width, minWidth)
	}
	return nil
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(!o.Show.On, "without --show", "color", "width")
	i.When(len(o.Data) == 0, "without --records", flags.RecordFlags...)
	i.When(o.Show.On, "with --show", "matches")
	i.When(!o.AllMatches, "without --all-matches", "most")
	i.When(o.Summary, "with --summary", "most")
	i.When(o.Matches != all, "with --matches", "most")
	return i
}

// Run writes the matches of all pairs.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if slices.Contains(o.Data, "-") && (len(operands) == 0 || slices.Contains(operands, "-")) {
		return tool.UsageError("standard input is named for the pairs and for --records")
	}
	rd, err := stagelines.Open(e, operands)
	if err != nil {
		return err
	}
	in := &pairs{rd: rd}
	readFile := readFiles(e)
	from := readFile
	if len(o.Data) > 0 {
		r, err := in.readRecords(e, o.Data)
		if err != nil {
			return err
		}
		from = r.text
	}
	var base []reference // names and texts of the files given by --base
	for walk, b := files.NewWalk(o.Base, files.Follow), new(filename.Batch); ; {
		if err := walk.Next(b, 1); err == io.EOF {
			break
		}
		if err := b.Items[0].Err; err != nil {
			return err
		}
		name := bytes.Clone(b.Items[0].Name)
		text, err := readFile(name)
		if err != nil {
			return err
		}
		base = append(base, reference{name, text})
	}
	row := stagelines.Row(line.Match{Numbered: o.Numbers})
	if o.Summary {
		row = line.Overlap{}
	}
	if err := stagelines.Header(e, row); err != nil {
		return err
	}
	return in.process(e, int64(o.Total)*1e6, newWork(e, o, from, base))
}

// A reference is a file given by --base.
type reference struct{ name, text []byte }
