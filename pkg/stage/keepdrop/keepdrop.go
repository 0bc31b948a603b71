// Package keepdrop applies a list of verdicts to a dataset.
//
// See man/keepdrop.1.
package keepdrop

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which list to apply, and how. Exactly one of Decisions, Keep and Drop must be set.
type Options struct {
	flags.Common
	option.Result
	Decisions string     // file of decisions
	Keep      string     // file of ids to keep
	Drop      string     // file of ids to drop
	Column    int        // column number of the ids in a keep or drop list, counted from 1
	Cut       bool       // ids name parts, which are cut out of their records
	Ordered   bool       // with Cut: the list is in the order of the records
	Ordinals  bool       // ids in the list are ordinals over the whole input, even if records have ids
	Partial   bool       // the list may have ids that are not in the input
	IDs       bool       // write lines of ids and texts, not records
	Ahead     bool       // not a flag: if possible, reject a list with unknown ids before writing records
	Whole     bool       // the text of a record is the whole record
	Against   []string   // with Removed: files of old records; new records may be dropped in favour of these
	Old       option.Old // how the old records are read
	Stats     string     // file for the counts; "" for none
}

// Default returns the options that apply if no flags are given.
func Default() Options { return Options{Common: flags.OfText(), Column: 1} }

// Command returns a new description of this program, with default options.
var Command = tool.New("keepdrop", "apply a keep or drop list to records", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Decisions, "decisions", o.Decisions, "apply the decisions in `LIST`")
	fs.StringVar(&o.Keep, "keep", o.Keep, "keep the records whose ids are in `LIST`, and no others")
	fs.StringVar(&o.Drop, "drop", o.Drop, "drop the records whose ids are in `LIST`")
	fs.IntVar(&o.Column, "column", o.Column, "read the ids from column `N` of a keep or drop list")
	fs.BoolVar(&o.Cut, "cut", o.Cut, "drop parts of texts, not whole records; the ids in the list are then those of parts, as dupspan and recsign --split write them")
	flagset.Offer(fs, &o.Result, "min-left")
	fs.BoolVar(&o.Ordered, "ordered", o.Ordered, "with --cut: expect decisions in the order of the records, and do not hold them in memory")
	fs.BoolVar(&o.Ordinals, "ordinals", o.Ordinals, "treat ids as ordinals over the whole input, even with --id or -H")
	fs.BoolVar(&o.Partial, "partial", o.Partial, "ignore ids in the list that are not in the input; use it for one file of a dataset")
	flagset.Offer(fs, &o.Result, "only-ids")
	fs.BoolVar(&o.IDs, "ids", o.IDs, "write a line with the id and the text of each kept record, not the record")
	fs.StringVar(&o.Records.Within, "within", o.Records.Within, "with --ids: also write the value at this `PATH`, for jaccard --texts")
	flagset.OfferExcept(fs, &o.Result, "min-left", "only-ids")
	fs.BoolVar(&o.Whole, "whole", o.Whole, "use the whole record as its text, for --removed")
	fs.StringArrayVar(&o.Against, "against", o.Against, "with --removed: read the texts of old records that are not in the input from `FILE`; may be repeated")
	o.Old.Flags(fs)
	fs.StringVar(&o.Stats, "stats", o.Stats, "write the counts to `FILE` as a JSON object")
	flags.MarkWritten(fs, "stats")
	o.Common.Flags(fs, flags.Records|flags.Jobs|flags.KeepGoing|flags.Dataset|flags.Watch)
	flagset.Assign(fs, flagset.Input, "decisions", "keep", "drop", "column", "ordinals", "partial", "ordered", "whole", "against", "against-field", "against-id")
	flagset.Assign(fs, flagset.Actions, "cut")
	flagset.Assign(fs, flagset.Output, "ids", "within")
	flagset.Assign(fs, flagset.Evidence, "stats")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"decisions", "keep", "drop", "id", "cut", "annotate", "only-ids", "partial", "field", "output", "removed", "jobs"}
}

// Check rejects options that are invalid or cannot be used together.
func (o *Options) Check() error {
	switch {
	case !flags.OneOf(o.Decisions != "", o.Keep != "", o.Drop != ""):
		return tool.UsageError("one of --decisions, --keep and --drop is required")
	case o.Column < 1:
		return tool.UsageError("--column %d: want 1 or more", o.Column)
	case o.Column > 1 && o.Decisions != "":
		return tool.UsageError("--column applies only to --keep and --drop, not to --decisions")
	case o.Cut && o.Keep != "":
		return tool.UsageError("--cut drops parts, so it cannot be used with --keep")
	case o.IDs && o.OnlyIDs:
		return tool.UsageError("--ids and --only-ids cannot be used together")
	case (o.IDs || o.OnlyIDs) && (o.Cut || o.Annotate || o.Removed != "" || o.To != ""):
		return tool.UsageError("--ids and --only-ids write lines, not records, so they cannot be used with --cut, --annotate, --removed or --to")
	case (o.IDs || o.OnlyIDs) && o.Directory():
		return tool.UsageError("--output %s: a directory, but ids are written to one file", o.OutputName)
	case (o.IDs || o.OnlyIDs) && o.NamesParquet():
		return tool.UsageError("--output %s: ids cannot be written as Parquet", o.OutputName)
	case o.Whole && o.Cut:
		return tool.UsageError("--cut drops parts of a text, so it cannot be used with --whole")
	case o.Ordered && (!o.Cut || o.Decisions == ""):
		return tool.UsageError("--ordered needs --cut and --decisions")
	case o.Ordered && (o.Removed != "" || o.Partial):
		return tool.UsageError("--ordered cannot be used with --removed or --partial, which need the whole list in memory")
	case o.Annotate && o.Decisions == "":
		return tool.UsageError("--annotate needs --decisions")
	case o.Annotate && o.Records.Missing == record.MissingDrop:
		return msg.WithHint(tool.UsageError("--annotate removes nothing, so it cannot be used with --missing drop"), "--missing keep writes such records, too")
	case o.Annotate && (o.Cut || o.Removed != "" || o.Whole):
		return tool.UsageError("--annotate removes nothing, so it cannot be used with --cut, --removed or --whole")
	case o.Annotate && o.Records.Lines:
		return tool.UsageError("--annotate adds fields, but records of --lines have no fields")
	case o.Sizes.Flag() != "" && o.Decisions == "":
		return tool.UsageError("%s needs --decisions: other lists have no clusters", o.Sizes.Flag())
	case o.Sizes.Flag() != "" && (o.Cut || o.Annotate || o.IDs || o.OnlyIDs):
		return tool.UsageError("%s writes whole records, so it cannot be used with --cut, --annotate, --ids or --only-ids", o.Sizes.Flag())
	}
	return cmp.Or(option.CheckValues(&o.Records), o.Sizes.Check(&o.Records))
}

// NamesParquet reports whether the name of the output has a Parquet suffix.
func (o *Options) NamesParquet() bool {
	form, err := dataform.Of(o.OutputName, "")
	return err != nil || form.Kind.Columns
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Decisions != "", "with --decisions", "column")
	i.When(!o.Cut, "without --cut", "min-left")
	i.When(o.Removed == "", "without --removed", "against")
	i.When(o.Decisions == "", "without --decisions", "against")
	o.Old.Idle(&i, len(o.Against) > 0, &o.Records)
	i.When(o.Whole, "with --whole", "against-field")
	i.When(!o.IDs, "without --ids", "within")
	o.Sizes.Idle(&i)
	return i
}

func (o *Options) Run(e *tool.Env, operands []string) error {
	o.readWhole(&e.Records)
	e.Sizes = o.Sizes.Sink()
	l, err := readList(e, o)
	if err != nil {
		return err
	}
	if err := o.checkAhead(e, l, operands); err != nil {
		return err
	}
	if o.IDs || o.OnlyIDs {
		return o.writeTexts(e, l, operands)
	}
	a, err := newAudit(e, o, l)
	if err != nil {
		return err
	}
	o.narrow(e, l)
	rd, err := record.NewReader(e.Input(operands), e.Records)
	if err != nil {
		return err
	}
	sink, err := e.Sink(rd, dataform.Kind{})
	if err != nil {
		return err
	}
	k := newKeeper(e, l)
	k.audit, k.sink = a, sink
	if a != nil {
		e.OnMissing = k.noteMissing
	}
	noteOld := k.noteOld
	switch {
	case o.Annotate:
		err = tool.EachRecord(e, rd, newAnnotator(k).record)
	case o.Sizes.Flag() != "":
		k.sizes = l.sizes()
		err = tool.EachRecord(e, rd, k.keepSized)
	case !o.Cut:
		err = tool.KeepRecords(e, rd, sink, k.record)
	default:
		c := &cutter{keeper: k}
		noteOld, err = c.noteOld, o.cutRecords(c, rd)
	}
	unread, missing := e.Unread(), e.Missing()
	e.OnMissing = nil // old records are not dropped
	if err == nil && len(o.Against) > 0 {
		err = o.readOld(e, noteOld)
	}
	if err != nil {
		return err
	}
	return k.finish(o, unread, missing)
}

// readWhole makes the whole record the text, in a form for --removed, if --whole is given.
func (o *Options) readWhole(r *record.Options) {
	if o.Whole {
		r.Fields, r.Objects = nil, true
	}
}

// readOld reads the old records and passes them to fn.
func (o *Options) readOld(e *tool.Env, fn func(*record.Record) error) error {
	opt := o.Old.Options(o.Records)
	opt.Expect = 0
	o.readWhole(&opt)
	rd, err := record.NewReader(e.Input(o.Against), opt)
	if err != nil {
		return err
	}
	return tool.EachRecord(e, rd, fn)
}

// Preflight returns an error if no list can be applied to these records with these options. A command
// calls Preflight before it makes the list, because making the list may take a long time.
func (o *Options) Preflight(e *tool.Env, operands []string) error {
	if o.IDs || o.OnlyIDs {
		return nil // no records are written
	}
	o.readWhole(&e.Records)
	e.Sizes = o.Sizes.Sink()
	kind, err := e.Preflight(operands)
	switch {
	case err != nil:
		return err
	case o.Annotate && !kind.Lines:
		return errAnnotated(operands[0])
	case o.Cut && !kind.Cuttable:
		return fmt.Errorf("%s: %w", operands[0], write.ErrUncut)
	}
	return nil
}

// narrow sets the options of the reader so that it decodes only the values that are needed.
func (o *Options) narrow(e *tool.Env, l *list) {
	r := &e.Records
	if o.Removed == "" && o.Ordinals && !o.Ordered {
		r.ID, r.WithFilename = "", false
	}
	switch {
	case o.Cut:
	case o.Annotate:
		r.Fields, r.NoText = nil, true
	case e.KeepGoing || r.Missing == record.MissingDrop: // decode all texts, because records with invalid or missing texts are skipped
	case o.Removed == "":
		r.Fields, r.NoText = nil, true
	case o.byOrdinal():
		r.Skip = l.isCopied // skipped records are copied unchanged
	}
}

// byOrdinal reports whether the list names records by their ordinals.
func (o *Options) byOrdinal() bool {
	return o.Ordinals || o.Records.ID == "" && !o.Records.WithFilename
}

// checkAhead returns an error if the list has ordinals beyond the last record. It is called before
// any record is written, because a program that reads the output from a pipe cannot undo what it
// has already read. To count the records, checkAhead reads the whole input, which is later read
// again.
func (o *Options) checkAhead(e *tool.Env, l *list, operands []string) error {
	if !o.Ahead || o.Cut || o.Partial || e.KeepGoing || !o.byOrdinal() {
		return nil
	}
	opt, in := e.Records, e.Input(operands)
	opt.Fields, opt.ID, opt.NoText, opt.WithFilename, in.Meter = nil, "", true, false, nil
	rd, err := record.NewReader(in, opt)
	if err != nil {
		return err
	}
	records := int64(0)
	if err := tool.EachRecord(e, rd, func(*record.Record) error { records++; return nil }); err != nil {
		return err
	}
	missing, example := 0, int64(0)
	l.eachOrdinal(func(n int64) {
		if n >= records {
			missing, example = missing+1, n
		}
	})
	if missing == 0 {
		return nil
	}
	return errForeign(missing, strconv.AppendInt(nil, example, 10))
}

// writeTexts writes a line for each kept record: its id and, unless --only-ids is given, its text.
func (o *Options) writeTexts(e *tool.Env, l *list, operands []string) error {
	if o.byOrdinal() && !e.KeepGoing && e.Records.Missing != record.MissingDrop {
		e.Records.Skip = func(ordinal int64) bool { return l.inverse && l.lacks(ordinal) }
	}
	e.Records.NoText = o.OnlyIDs
	rd, err := record.NewReader(e.Input(operands), e.Records)
	if err != nil {
		return err
	}
	var text []byte
	k := newKeeper(e, l)
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		keep, err := k.record(rec)
		if err != nil || !keep {
			return err
		}
		if o.OnlyIDs {
			w := line.Format{}.Begin(text[:0])
			w.Bytes("id", rec.ID)
			text = w.End()
		} else {
			one := line.Text{ID: rec.ID, Text: rec.Text}
			if text = text[:0]; o.Records.Within != "" {
				text = line.TextWithin{Text: one, Value: rec.Value}.Append(text, line.Format{})
			} else {
				text = one.Append(text, line.Format{})
			}
		}
		_, err = e.Out.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return k.finish(o, e.Unread(), e.Missing())
}
