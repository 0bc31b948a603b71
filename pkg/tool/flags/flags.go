// Package flags defines the flags shared by tools, and detects flags that have no effect in a run.
package flags

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// A Set is the set of shared flags that a tool accepts. A tool registers only flags that
// have an effect.
type Set uint

// The shared flags. They mean the same in every tool.
const (
	Jobs      Set = 1 << iota // -j, --jobs
	KeepGoing                 // -k, --keep-going
	Null                      // -0, --null
	JSON                      // --json
	Output                    // -o, --output
	Memory                    // --mem
	Records                   // --field, --id, --lines, -H
	Whole                     // like Records, for a tool whose default text is the whole record
	IDs                       // --id, --lines, -H, for a tool that does not read texts
	Watch                     // --progress, --no-progress
	Dataset                   // -o, --tree, --to, --codec, --level, for a tool that writes records
	Header                    // --header, for a tool that writes TSV columns
	InParts                   // --part, for a tool that reads files in parts
	Sync                      // --no-sync, which Output and Dataset also register
	Inputs                    // --csv, --separator and so on, which Records, Whole and IDs also register
	Manifest                  // --manifest, --finished, for a command that reads files and writes files
)

// Common holds the options that mean the same in every tool. The options of each tool embed it.
type Common struct {
	Records   record.Options // --field, --id, --lines, -H
	Null      bool           // -0: names and lines end with NUL instead of LF
	JSON      bool           // --json: JSON objects instead of columns
	Header    bool           // --header: write the column names as the first line
	Mem       flagset.Size   // --mem: memory limit in bytes
	Jobs      int            // -j: number of threads; 0 means one per core
	KeepGoing bool           // -k: report bad records and continue
	Destination
	NoSync    bool       // --no-sync: written files are not synced to disk
	Watch     Display    // --progress, --no-progress
	Part      PartNumber // --part: which part of each input to read, from 1; 0 means all parts
	StdinName string     // --name: the name of standard input in messages and ids
	Manifest  string     // --manifest: file for the description of the run; "" for none
	Finished  bool       // --finished: describe a run that is over, and do not run
}

// A Destination is where the main output goes, and its format.
type Destination struct {
	OutputName string // -o: "" and "-" mean standard output
	Tree       bool   // --tree: outputs in a directory keep the paths of the inputs
	To         string // --to: output format; "" means that the output's name determines it
	Codec      string // --codec: codec of Parquet columns; "" keeps the input's codec
	Level      int    // --level: compression level; 0 means the format's default
}

// A PartNumber is the number of a part of a file, from 1; 0 means that no part was given.
type PartNumber int

// Set implements pflag.Value. It returns an error unless s is a whole number of at least 1.
func (p *PartNumber) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return fmt.Errorf("invalid part %q: want a whole number, 1 or more", s)
	}
	*p = PartNumber(n)
	return nil
}

func (p *PartNumber) String() string { return strconv.Itoa(int(*p)) }

func (p *PartNumber) Type() string { return "N" }

// A Part registers only some flags of a Common: those in the set Shared.
type Part struct {
	*Common
	Shared Set
}

func (p Part) Flags(fs *pflag.FlagSet) { p.Common.Flags(fs, p.Shared) }

// Display holds --progress (Force) and --no-progress (Never).
type Display struct{ Force, Never bool }

// Text is the field that contains a record's text if --field is not given.
const Text = "text"

// OfText returns the default options of a tool that reads the texts of records.
func OfText() Common { return Common{Records: record.Options{Fields: []string{Text}}} }

// SharedOptions returns c. It gives access to the shared options of a type that embeds
// Common.
func (c *Common) SharedOptions() *Common { return c }

// Check returns an error if the options are invalid or cannot be used together.
func (c *Common) Check() error {
	if c.Jobs < 0 {
		return fmt.Errorf("--jobs %d: want 0 or more", c.Jobs)
	}
	if c.Records.MaxRecord > 1<<30 {
		return fmt.Errorf("--max-record %s: want at most 1G", (*flagset.Size)(&c.Records.MaxRecord))
	}
	if c.Header && c.JSON {
		return errors.New("--header and --json cannot be used together")
	}
	if c.Finished && c.Manifest == "" {
		return errors.New("--finished needs --manifest FILE")
	}
	if c.To == "" && !c.Directory() {
		return dataform.CheckOutput(c.OutputName)
	}
	if _, err := dataform.Of("", c.To); err != nil {
		return fmt.Errorf("--to %w", err)
	}
	return nil
}

// Directory reports whether -o names a directory, so that each input gets a separate output in it.
// The directory need not exist if the name ends with a slash.
func (d *Destination) Directory() bool {
	if strings.HasSuffix(d.OutputName, "/") {
		return true
	}
	info, err := os.Stat(d.OutputName)
	return d.OutputName != "-" && err == nil && info.IsDir()
}

// recordFlags registers those flags of the set s that say what a record and its text are.
func (c *Common) recordFlags(fs *pflag.FlagSet, s Set) {
	r := &c.Records
	if s&Records != 0 {
		fs.StringArrayVar(&r.Fields, "field", r.Fields, "read texts at this `PATH`, as in meta.text; a path into an array, as in messages[].content, reads all its values; may be repeated")
	}
	if s&Whole != 0 {
		fs.StringArrayVar(&r.Fields, "field", r.Fields, "read the text at this `PATH` (default: the whole record); may be repeated")
	}
	if s&(Records|Whole) != 0 {
		fs.Var(&r.Missing, "missing", "`HOW` to treat missing texts: error (default), keep or drop; a null counts as missing, too; with keep, such a record has no duplicates")
	}
	if s&(Records|Whole|IDs) != 0 {
		fs.StringVar(&r.ID, "id", r.ID, "read ids at this `PATH` (default: the number of the record)")
		fs.BoolVar(&r.Lines, "lines", r.Lines, "treat each line as a record and as its text")
		c.InputFlags(fs)
		fs.BoolVarP(&r.WithFilename, "with-filename", "H", r.WithFilename, "make ids file:ordinal, or with --id file:id")
		fs.StringVar(&c.StdinName, "name", c.StdinName, "use `NAME` for standard input in ids and messages")
	}
	if s&Inputs != 0 {
		c.InputFlags(fs)
	}
}

// Flags registers those shared flags that are in the set s. Their defaults are the current values
// of the fields.
func (c *Common) Flags(fs *pflag.FlagSet, s Set) {
	c.recordFlags(fs, s)
	if s&Null != 0 {
		fs.BoolVarP(&c.Null, "null", "0", c.Null, "end lines with NUL, not LF")
	}
	if s&InParts != 0 {
		fs.Var(&c.Part, "part", "read only part `N`, from 1, of each file (default: all); lshkeys --parts writes such files")
	}
	if s&JSON != 0 {
		fs.BoolVar(&c.JSON, "json", c.JSON, "write JSON objects instead of TSV")
	}
	if s&Header != 0 {
		fs.BoolVar(&c.Header, "header", c.Header, "write the names of the columns as the first line")
	}
	if s&Memory != 0 {
		fs.Var(&c.Mem, "mem", "hold `SIZE` in memory, and the rest on disk")
	}
	if s&Jobs != 0 {
		fs.IntVarP(&c.Jobs, "jobs", "j", c.Jobs, "use `N` threads (default 0: one per core)")
	}
	if s&KeepGoing != 0 {
		fs.BoolVarP(&c.KeepGoing, "keep-going", "k", c.KeepGoing, "report bad records and continue")
	}
	if s&Output != 0 {
		fs.StringVarP(&c.OutputName, "output", "o", c.OutputName, "write to `FILE` (default: standard output); the file is written completely or not at all, and compressed if its name ends in .gz or .zst")
		MarkStream(fs, "output")
	}
	if s&Dataset != 0 {
		c.Destination.Flags(fs)
	}
	if s&(Output|Dataset|Sync) != 0 {
		fs.BoolVar(&c.NoSync, "no-sync", c.NoSync, "do not wait until the output is on disk; a power cut may lose it")
	}
	if s&Manifest != 0 {
		fs.StringVar(&c.Manifest, "manifest", c.Manifest, "write what the run read and wrote, with checksums, to `FILE`, for doppel audit")
		fs.BoolVar(&c.Finished, "finished", c.Finished, "with --manifest: the run is over; write only its manifest")
		MarkWritten(fs, "manifest")
	}
	if s&Watch != 0 {
		fs.BoolVar(&c.Watch.Force, "progress", c.Watch.Force, "show progress even if stderr is not a terminal")
		fs.BoolVar(&c.Watch.Never, "no-progress", c.Watch.Never, "never show progress")
	}
	assignGroups(fs)
}

// Flags registers -o, --tree, --to, --codec and --level, for a tool that writes records.
func (d *Destination) Flags(fs *pflag.FlagSet) {
	fs.StringVarP(&d.OutputName, "output", "o", d.OutputName, "write to `FILE` in the format of its suffix, or to DIR/; without -o, to standard output; the suffix, such as .jsonl, .parquet, .gz or .zst, selects the format; in DIR/, each input has its own output; outputs are complete or not written at all")
	MarkStream(fs, "output")
	fs.BoolVar(&d.Tree, "tree", d.Tree, "with -o DIR/: keep the paths of the inputs below DIR; without it, only their names")
	fs.StringVar(&d.To, "to", d.To, "write `FORMAT` (default: by the suffix of -o, or as input); one of: jsonl, json for an array, csv, tsv, parquet, gz or zst")
	fs.StringVar(&d.Codec, "codec", d.Codec, "compress Parquet columns by `CODEC` (default: as in the input, or zstd): none, snappy, lz4_raw or zstd")
	fs.IntVar(&d.Level, "level", d.Level, "compress at level `N` (default: that of the format); for .gz, .zst, and Parquet with --codec zstd")
	flagset.AtLeast(fs, 1, "level")
}

// assignGroups puts the shared flags into their groups.
func assignGroups(fs *pflag.FlagSet) {
	flagset.Assign(fs, flagset.Input, RecordFlags...)
	flagset.Assign(fs, flagset.Input, "part", "keep-going")
	flagset.Assign(fs, flagset.Output, "null", "json", "header", "output", "tree", "to", "codec", "level", "no-sync")
	flagset.Assign(fs, flagset.Evidence, "manifest", "finished")
	flagset.Assign(fs, flagset.Resources, "mem", "jobs", "progress", "no-progress")
}

// Essential returns nil, so that -h shows all flags. A command with more than twelve flags overrides
// this method.
func (c *Common) Essential() []string { return nil }

// InputFlags registers --csv, --separator, --quote, --encoding, --max-record and --expect, for a tool
// that reads records.
func (c *Common) InputFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&c.Records.CSV, "csv", c.Records.CSV, "read inputs as CSV or TSV, whatever their names; the first row is a header")
	fs.Var(&c.Records.Separator, "separator", "separate fields of CSV by `CHAR` (default: comma, in TSV tab); CHAR is one character or the word tab")
	fs.Var(&c.Records.Quote, "quote", "quote fields of CSV by `CHAR`, or by none (default: '\"'); in TSV, quotes count only within a line")
	fs.Var(&c.Records.Encoding, "encoding", "decode text from `NAME`, such as latin1 (default: UTF-8); the output is always UTF-8")
	fs.BoolVar(&c.Records.NoPartitions, "no-partitions", c.Records.NoPartitions, "do not add fields from directories named key=value")
	if c.Records.MaxRecord == 0 {
		c.Records.MaxRecord = record.DefaultMax
	}
	fs.Var((*flagset.Size)(&c.Records.MaxRecord), "max-record", "refuse a line or row of more than `SIZE` bytes")
	fs.Int64Var(&c.Records.Expect, "expect", c.Records.Expect, "fail on fewer than `N` records in total (default: any)")
	flagset.AtLeast(fs, 1, "expect")
	flagset.Assign(fs, flagset.Input, RecordFlags...)
}

// Settled returns a copy of c in which Jobs is a number of threads to start: GOMAXPROCS if c.Jobs is
// 0, and at most 64, or four per core if that is more. Each thread has buffers, so many threads would
// use much memory. Further threads would not read files faster.
func (c Common) Settled() Common {
	cores := runtime.GOMAXPROCS(0)
	if c.Jobs == 0 {
		c.Jobs = cores
	}
	c.Jobs = min(c.Jobs, max(64, 4*cores))
	return c
}

// OneOf reports whether exactly one of several flags, or ways to give something, is given.
func OneOf(given ...bool) bool { return Count(given...) == 1 }

// Count returns how many of several flags are given.
func Count(given ...bool) (n int) {
	for _, one := range given {
		if one {
			n++
		}
	}
	return n
}

// Idle returns the shared flags that have no effect. A tool whose own flags may be idle overrides
// this method, and adds those flags to its result.
func (c *Common) Idle() (i Idle) {
	i.When(c.Records.Lines, "with --lines", "field", "missing", "no-partitions")
	i.When(c.Watch.Never, "with --no-progress", "progress")
	i.When(c.Level == 0, "at 0", "level")
	i.When(!c.Directory(), "without -o DIR/", "tree")
	name := c.OutputName
	if c.Directory() {
		name = "" // each output in the directory has its own name and format
	}
	if f, err := dataform.Of(name, c.To); err == nil && f.Kind.Name != "" {
		i.When(!f.Kind.Columns, "without Parquet output", "codec")
		i.When(!f.Kind.Columns && f.Compression == dataform.Plain, "without compression", "level")
	}
	return i
}
