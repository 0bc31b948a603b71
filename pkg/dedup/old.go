package dedup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/seal"
	"doppel/pkg/method"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Old holds the options for comparing new records with old records, given as data or as signatures.
//
// Of two similar records, an old one is always preferred to a new one, whatever their ranks. Old
// records are not compared with each other. Their signatures are streamed, not held in memory. If
// each run saves the signatures of its kept records for the next run, successive runs over the
// parts of a dataset keep the same records as one run over the whole dataset.
type Old struct {
	Against []string   // names of datasets or of files with saved signatures
	Read    option.Old // how to read the records in Against
	Only    bool       // compare new records only with old records
	Save    string     // name of a file for the signatures of the kept records, or of a collection

	Collection option.Collection // only doppel fuzzy uses it

	data, signatures []string // the datasets and the files of signatures in Against; set by Prepare
}

func (o *Old) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Against, "against", o.Against, "also drop records similar to `OLD`, a dataset or --save file; OLD holds old records, or their signatures; it may be a collection; may be repeated")
	o.Read.Flags(fs)
	fs.BoolVar(&o.Only, "only-against", o.Only, "with --against: remove only records that are similar to an old record")
	fs.StringVar(&o.Save, "save", o.Save, "write the signatures of the kept records to `SIGS`, for --against; if SIGS is a directory, add the records to its collection")
	o.Collection.Flags(fs)
	o.Collection.EstimateFlag(fs)
	flags.MarkWritten(fs, "save")
	flags.MarkRead(fs, "against")
	flagset.Assign(fs, flagset.Kept, "against", "only-against")
	flagset.Assign(fs, flagset.Evidence, "save")
}

func (o *Old) Check() error {
	if o.Only && len(o.Against) == 0 && o.Collection.Index == "" {
		return tool.UsageError("--only-against needs --against")
	}
	for _, name := range o.Against {
		if plan.ReadsOnce(name) {
			return tool.UsageError("--against %s: want a file, because it is read more than once", name)
		}
	}
	return nil
}

// SchemeOf returns the scheme of a file that begins with a signature. isData is true for a data
// file. A file without lines, which a run saves if it keeps nothing, is not data and has no scheme.
// SchemeOf returns an error if the file begins with neither a signature nor a record, or if its seal
// is broken. It also returns an error if the id of the first signature is an ordinal, because a new
// record may have the same id. The stages report all other faults in the file.
func SchemeOf(e *tool.Env, name string, opt record.Options) (scheme string, isData bool, err error) {
	var s line.Signature
	first, err := lineio.First(e, name)
	if errors.As(err, new(*seal.Broken)) {
		return "", false, err
	}
	if err == io.EOF {
		return "", false, nil
	}
	if err == nil && s.Parse(first) == nil {
		if _, err := method.Parse(string(s.Scheme)); err == nil {
			if _, ordinal := ids.Ordinal(s.ID); ordinal {
				err := fmt.Errorf("%s:1: id %q of an old record may also be the id of a new one", name, s.ID)
				return "", false, msg.WithHint(err, "sign or save the old records with -H")
			}
			return string(s.Scheme), false, nil
		}
	}
	if opt.Expect = 0; err != nil || e.KeepGoing {
		return "", true, nil // the stages report errors
	}
	var b record.Batch
	rd, err := record.NewReader(e.Input([]string{name}), opt)
	if err != nil {
		return "", false, err
	}
	if rd.Next(&b) != nil || len(b.Records) == 0 {
		return "", true, nil
	}
	b.Decode()
	var bad *record.SyntaxError
	if rec := b.Records[0]; !errors.As(rec.Err, &bad) || bytes.HasPrefix(rec.Raw, []byte{'{'}) {
		return "", true, nil
	}
	return "", false, msg.WithHint(fmt.Errorf("neither data nor signatures: %w", bad),
		"--against reads data in the format of the operands, or signatures written by doppel fuzzy --save")
}

// against adds the steps that decide which new records to keep, first from the pairs of one new and
// one old record, then from the pairs of two new records.
func (f *Near) against(b *plan.Builder, data []string) decided {
	fresh := b.Scratch("")
	b.Add(plan.Step{Stages: []plan.Stage{f.SignStage().On(data...)}, Into: fresh})
	pairs := func(pair, score plan.Stage) string {
		held := b.Scratch("<pairs with old records>")
		b.Add(plan.Step{Stages: []plan.Stage{pair.On(fresh.Path()), score}, Into: held})
		return held.Path()
	}
	var olds []string
	old := f.Old.Read
	if names := f.Old.data; len(names) > 0 {
		signed, pair, score := b.Scratch(""), f.PairStage(), f.VerifyStage(data)
		sign := f.SignStage()
		read := &sign.Options.SharedOptions().Records
		*read = old.Options(*read) // these options make the ids of old records differ from those of new records
		read.Dialect = dialectOf(read.Dialect, names)
		b.Add(plan.Step{Stages: []plan.Stage{sign.On(names...)}, Into: signed})
		p, s := pair.Options.(*lshpairs.Options), score.Options.(*jaccard.Options)
		p.Against, p.Old.Fields, p.Pairing.All = []string{signed.Path()}, old.Fields, f.countsPairs()
		s.Against, s.Old = names, old
		olds = append(olds, pairs(pair, score))
	}
	if names := f.Old.signatures; len(names) > 0 {
		pair, score := f.PairStage(), jaccard.Default()
		p := pair.Options.(*lshpairs.Options)
		p.Against, p.Old.Fields, p.Pairing.All = names, old.Fields, f.countsPairs()
		score.Old.Fields = old.Fields
		score.Threshold, score.Jobs = f.Pair.Keys.Threshold, f.Jobs
		score.Sigs, score.Against = []string{fresh.Path()}, names
		olds = append(olds, pairs(pair, plan.Tool("jaccard", &score)))
	}
	rest, scores := os.DevNull, olds
	if !f.Old.Only {
		rest = pairs(f.PairStage(), f.VerifyStage(data))
		scores = append(slices.Clone(olds), rest)
	}
	group := f.GroupStage(data).On(rest)
	o := group.Options.(*dupgroup.Options)
	o.Old = olds
	o.Apart = o.Apart || f.Old.Only && f.countsPairs() // two new records that equal an old one are not paired
	d := f.listed(b, group)
	d.scores = scores
	return d
}

// dialectOf returns the dialect in which a tool of a printed chain reads old data, given by the names
// of files and directories. The options for tables describe the new data. A tool of its own refuses
// them if it reads no table, as it refuses --encoding if it reads only Parquet.
func dialectOf(d record.Dialect, names []string) record.Dialect {
	table, text := d.CSV, d.CSV
	for _, name := range names {
		files, err := record.FilesOf(name)
		if err != nil {
			files = []string{name}
		}
		for _, file := range files {
			kind := dataform.KindOf(file)
			table, text = table || kind.Table, text || !kind.Columns
		}
	}
	if !table {
		d.Separator, d.Quote = 0, record.UsualQuote
	}
	if !text {
		d.Encoding = ""
	}
	return d
}

// countsPairs reports whether decisions state how many records a record is paired with, so that a
// new record must be paired with each of the old records that equal one another.
func (f *Near) countsPairs() bool { return f.Decide.Keep == dupgroup.None && f.Decide.Counts }

// save adds the step that signs the kept records, if --save is given. The ids contain the names of
// the inputs, so that they differ from the ids of later runs. In a printed script, an input that
// was copied to a scratch file is read from standard input, so that its ids contain the input's
// name and not the name of the scratch file.
func (f *Near) save(b *plan.Builder, data []string, list string) {
	if f.Old.Save == "" || b.Dry {
		return
	}
	s := plan.Step{Stages: []plan.Stage{ByFile(f.SignStage()).Rereading().On(data...)}}
	o := s.Stages[0].Options.(*recsign.Options)
	o.Records.ID = f.Records.ID
	o.Without, o.OutputName, o.JSON = list, b.Output(f.Old.Save, false), isObjects(f.Old.Save)
	switch {
	case b.Print == plan.None || len(b.Copies) == 0:
	case len(b.Copies) > 1:
		b.Fail(tool.UsageError("--save with --print: want at most one input that can be read only once, such as a pipe"))
	default:
		if s.From = b.Copies[0]; s.From.Display != "<stdin>" {
			o.StdinName = s.From.Display
		}
		data = slices.Clone(data)
		data[slices.Index(data, s.From.Path())] = plan.Stdin
		s.Stages[0] = s.Stages[0].On(data...)
	}
	b.Add(s)
}
