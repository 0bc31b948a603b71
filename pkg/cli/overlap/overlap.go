// Package overlap implements the command doppel overlap, which finds test items that leaked into
// training data.
//
// See man/doppel-overlap.1. Package doppel/pkg/overlap explains the method.
package overlap

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/overlap"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel overlap. The first field of a test item decides whether the
// item is contaminated; the other fields are only reported.
type Options struct {
	flags.Common
	Find   overlap.Options
	Window text.Shingling // size of a window, in words
	Tests  []string       // benchmark files
	Fields []string       // paths of the text fields of a test item; if empty, only "text"
	TestID string         // path of the id of a test item; if empty, ids are ordinals

	Show      bool   // write the matched text in each row
	CommonTo  string // name of the file for the list of ignored windows
	Decisions string // name of the file for decisions on training records
	Cut       bool   // the decisions drop passages, not whole records
	Spoiled   string // name of the file for decisions on test items
	Report    string // name of the file for an HTML report

	Save  string // name of the file for the windows found in the records; if set, Run writes nothing else
	Merge bool   // the operands are files written by Save
	Job   dedup.Job
}

// Default returns the options of a run without flags.
func Default() Options {
	find := overlap.Default
	return Options{
		Common: flags.OfText(), Find: find, Window: text.Shingling{Unit: text.Words, N: find.Window},
		Job: dedup.DefaultJob(),
	}
}

func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Tests, "test", o.Tests, "read test items from the dataset `BENCH` (required); may be repeated")
	fs.StringArrayVar(&o.Fields, "test-field", o.Fields, "read the text of test items at `PATH` (default text); the text at the first PATH decides whether the item is contaminated; may be repeated")
	fs.StringVar(&o.TestID, "test-id", o.TestID, "read the id of a test item at this `PATH`, instead of numbering the items")
	fs.Var((*window)(&o.Window), "window", "compare windows of N words: `wN`")
	fs.Float64Var(&o.Find.Coverage, "coverage", o.Find.Coverage, "report items of which a record has `C`, 0 to 1 (default 0.35); C is a share of the windows of the item, more than 0 and at most 1")
	fs.IntVar(&o.Find.DF, "df", o.Find.DF, "ignore windows that occur in more than `N` records; 0 ignores none")
	fs.IntVar(&o.Find.TestDF, "test-df", o.Find.TestDF, "ignore windows that occur in more than `N` test items; 0 ignores none")
	fs.Var(&o.Find.Normalize, "normalize", "normalise texts by `HOW`, such as none; one of: none, conservative, balanced or aggressive; "+text.Explained)
	fs.BoolVar(&o.Show, "show", o.Show, "also write the words that the item and the record share")
	fs.StringVar(&o.CommonTo, "common", o.CommonTo, "write the ignored windows, and how many records contain each, to `FILE`")
	fs.StringVar(&o.Decisions, "decisions", o.Decisions, "write to `FILE` which records keepdrop should drop; these contain test items")
	fs.BoolVar(&o.Cut, "cut", o.Cut, "with --decisions: drop the shared passages, not the whole records")
	fs.StringVar(&o.Spoiled, "spoiled", o.Spoiled, "write to `FILE` which test items keepdrop should drop; these are in the records")
	fs.StringVar(&o.Report, "report", o.Report, "write an HTML report of items beside records to `FILE`")
	fs.StringVar(&o.Save, "save", o.Save, "write only a list of the windows of test items that the records contain, to `FILE`, for --merge")
	fs.BoolVar(&o.Merge, "merge", o.Merge, "read files written by --save, one per shard, instead of records")
	flagset.Offer(fs, &o.Job, "stats", "print")
	flags.MarkWritten(fs, "common", "decisions", "spoiled", "report", "print")
	flags.MarkStream(fs, "save")
	flags.MarkRead(fs, "test")
	fs.Lookup("print").Usage = "print shell commands for many machines, and run nothing; each operand is a shard; --print=make, parallel or json names the form"
	o.Common.Flags(fs, flags.Records|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch|flags.Manifest)
	flagset.Assign(fs, flagset.Input, "test", "test-field", "test-id", "merge")
	flagset.Assign(fs, flagset.Matches, "window", "coverage", "df", "test-df", "normalize")
	flagset.Assign(fs, flagset.Output, "show", "save")
	flagset.Assign(fs, flagset.Evidence, "common", "decisions", "cut", "spoiled", "report")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"window", "coverage", "normalize", "test", "test-field", "field", "show", "output", "decisions", "spoiled", "report", "jobs"}
}

// A window is the value of --window: a number of words.
type window text.Shingling

func (w *window) String() string { return text.Shingling(*w).String() }

// Set parses a number of words, such as w13.
func (w *window) Set(v string) error {
	var s text.Shingling
	if err := s.Set(v); err != nil || s.Unit != text.Words {
		return fmt.Errorf("%q: want a number of words, as in w13", v)
	}
	*w = window(s)
	return nil
}

// Type returns the name that help shows for the flag's argument.
func (w *window) Type() string { return "wN" }

func (o *Options) Check() error {
	switch {
	case len(o.Tests) == 0:
		return tool.UsageError("--test BENCH is required; BENCH must contain the test items")
	case slices.Contains(o.Tests, plan.Stdin):
		return tool.UsageError("--test -: want a file: standard input is for the training records")
	case !(0 < o.Find.Coverage && o.Find.Coverage <= 1):
		return tool.UsageError("--coverage %v: want more than 0 and at most 1", o.Find.Coverage)
	case o.Find.DF < 0:
		return tool.UsageError("--df %d: want 0 or more", o.Find.DF)
	case o.Find.TestDF < 0:
		return tool.UsageError("--test-df %d: want 0 or more", o.Find.TestDF)
	case dataform.KindOf(o.Save).Lines:
		return tool.UsageError("--save %s: the list is not JSON lines: want another name, such as .tsv", o.Save)
	case o.Save != "" && o.Merge:
		return tool.UsageError("--save and --merge cannot be used together: --save reads records, --merge reads saved files")
	case o.Job.Print == plan.Shell:
		return tool.UsageError("--print: want make, parallel or json, because on one machine doppel overlap is one process, without a chain to print")
	case o.Job.Print != "" && (o.Save != "" || o.Merge || o.OutputName != "" || o.Records.Expect > 0 || o.StdinName != ""):
		return msg.WithHint(tool.UsageError("--save, --merge, --output, --expect and --name apply only to a run in one process, not to --print"), "to choose the file for the table, run make OUT=FILE")
	case o.Job.Print.InParts() && o.KeepGoing:
		return dedup.NotMade()
	case o.Cut && len(o.Records.Fields) > 1:
		return tool.UsageError("--cut needs exactly one --field")
	case o.Cut && o.Records.IntoArray() != "":
		return tool.UsageError("--field %s leads into an array: --cut needs a path to one string", o.Records.IntoArray())
	}
	job := o.Job
	job.Print = plan.None // do not require --parts for --print, because each shard is a part
	return job.Check()
}

func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Decisions == "" && o.Save == "", "without --decisions", "cut")
	i.When(o.Save != "", "with --save", "coverage", "show", "common", "decisions", "cut", "spoiled", "report", "json", "header", "output", "with-filename")
	i.When(o.Merge, "with --merge", "field", "id", "with-filename", "name", "expect")
	i.When(o.Job.Print != "", "with --print", "with-filename")
	i.When(o.Job.Print == plan.JSON, "with --print=json", "no-sync")
	return i
}

// Names returns the operands and the main output. With --save, there is none.
func (o *Options) Names(operands []string) (inputs, outputs []string, err error) {
	if o.Save != "" {
		return operands, nil, nil
	}
	return operands, []string{o.OutputName}, nil
}

// Run reads the test items, then the records, and writes for each item how much of it is in the
// records.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if err := o.checkDistinct(operands); err != nil {
		return err
	}
	if o.Job.Print != "" {
		return o.printParts(e, operands)
	}
	r := &run{Options: o, e: e}
	r.Find.Window = o.Window.N
	err := r.readTests()
	if err == nil {
		r.index = r.items.Index()
		r.tally = r.index.NewTally()
		err = cmp.Or(r.run(operands), r.tally.Close())
	}
	return cmp.Or(err, r.texts.Close())
}

// checkDistinct returns an error if a file is both a benchmark and training data, because all its
// items would be contaminated. It also returns an error if a benchmark is given twice, because its
// items would count twice.
func (o *Options) checkDistinct(operands []string) error {
	for i, test := range o.Tests {
		info, err := os.Stat(test)
		if err != nil {
			continue // the method readTests reports this error
		}
		for k, other := range append(slices.Clone(operands), o.Tests[:i]...) {
			if same, err := os.Stat(other); err != nil || !os.SameFile(info, same) {
				continue
			}
			if k < len(operands) {
				return tool.UsageError("--test %s: also given as training records, under the name %s", test, other)
			}
			return tool.UsageError("--test %s: given twice", test)
		}
	}
	return nil
}

// run reads the training records, or the saved files, and writes the results.
func (r *run) run(operands []string) error {
	e := r.e
	var rd *record.Reader // nil if the operands are saved files
	var err error
	if !r.Merge {
		opt := e.Records
		opt.WithFilename = opt.WithFilename || r.Save != "" // ids must not be the same in two shards
		if rd, err = record.NewReader(e.Input(operands), opt); err != nil {
			return err
		}
	}
	if rd != nil && r.Decisions != "" {
		e.OneID(operands)
	}
	if r.Save != "" {
		w := e.Out
		if r.Save != plan.Stdin { // the name "-" means standard output
			w, err = e.Create(r.Save)
		}
		if err == nil {
			err = r.readTrain(rd)
		}
		if err != nil {
			return err
		}
		return r.save(w)
	}
	// Create the other files before the training records are read, so that an error is reported
	// early.
	further := []struct {
		name  string
		write func(*bufio.Writer) error
		w     *bufio.Writer
	}{{name: r.Decisions, write: r.decide}, {name: r.Spoiled, write: r.writeSpoiled}, {name: r.CommonTo, write: r.listCommon}, {name: r.Report, write: r.page}}
	for i, one := range further {
		if one.name == "" {
			continue
		}
		if further[i].w, err = e.Create(one.name); err != nil {
			return err
		}
	}
	if err := lineio.Titles(e, row{show: r.Show}); err != nil {
		return err
	}
	if rd == nil {
		err = r.readSaved(operands)
	} else {
		err = r.readTrain(rd)
	}
	if err != nil {
		return err
	}
	for i, one := range further {
		if i > 0 && one.w == nil { // decide is always called, because it finds the best record of each item
			continue
		}
		if err := one.write(one.w); err != nil {
			return err
		}
	}
	if err := r.table(); err != nil {
		return err
	}
	return r.report()
}

// A row is the result for a field of a test item.
type row struct {
	benchmark, field string
	id, record       []byte // ids of the item and of its best record; record is nil if no record matches
	coverage         float64
	windows          int // number of the field's windows that are not ignored
	records          int
	text             []byte
	show             bool
}

// Append appends the row to dst as a line.
func (r row) Append(dst []byte, f line.Format) []byte {
	w := f.Begin(dst)
	w.Bytes("benchmark", []byte(r.benchmark))
	w.Bytes("id", r.id)
	w.Bytes("field", []byte(r.field))
	w.Float("coverage", r.coverage)
	w.Int("windows", int64(r.windows))
	w.Int("records", int64(r.records))
	maybe := func(name string, v []byte) {
		if r.record == nil {
			w.None(name)
		} else {
			w.Bytes(name, v)
		}
	}
	maybe("record", r.record)
	if r.show {
		maybe("text", r.text)
	}
	return w.End()
}

// A commonRow is the output line for an ignored window.
type commonRow struct {
	records, items int64
	text           []byte
}

// Append appends the row to dst as a line.
func (c commonRow) Append(dst []byte, f line.Format) []byte {
	w := f.Begin(dst)
	w.Int("records", c.records)
	w.Int("items", c.items)
	w.Bytes("text", c.text)
	return w.End()
}

// excerptAround is the number of bytes that the page shows before and after a match. mostExcerpt
// is the maximum number of bytes of a record that the tally keeps for the page.
const (
	excerptAround = 200
	mostExcerpt   = 16 << 10
)

// excerpt returns the part of a text that contains the hits, with some text before and after them,
// and the offset of this part. A long part is cut off after about mostExcerpt bytes.
func excerpt(text []byte, hits []overlap.Hit) ([]byte, int) {
	if len(hits) == 0 {
		return nil, 0
	}
	start, end := max(0, hits[0].Start-excerptAround), 0
	for _, h := range hits {
		end = max(end, h.End+excerptAround)
	}
	end = min(end, start+mostExcerpt, len(text))
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return text[start:end], start
}
