// Package audit implements doppel audit, which checks a finished run of doppel fuzzy, exact
// or passages against its decisions.
//
// See man/doppel-audit.1.
package audit

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/audit"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/line/seal"
	"doppel/pkg/manifest"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options describe the audited run, how it compared texts, and the files that it read and wrote.
type Options struct {
	flags.Common
	Of           string   // the audited command: fuzzy, exact or passages
	Decisions    string   // file with the decisions of the run
	Scores       string   // file with the scored pairs of the run; "" for none
	Outputs      []string // outputs of the run: a single file, one file per input, or a directory
	Against      []string // files of old records, or a collection
	Index        string   // the collection that the run compared with and added to
	Save         string   // where the run saved its kept records; only a collection matters
	Keep         string   // which record of a group was kept: best, first or none
	MinLeft      write.MinLeft
	Policy       string // the policy of the run, greedy or components
	Threshold    float64
	Shingle      text.Shingling
	Normalize    string         // normalisation of texts; "" for the default of the command
	Split        text.Splitting // kind of the parts that the run cut out of records
	Sizes        option.Sizes   // how the run wrote cluster sizes or repeated records
	AgainstField []string       // paths of the text in old records; nil for the same as in new records
	AgainstID    string         // path of the id of old records, whose ids are then file:id; "" for file:ordinal
	OnlyAgainst  bool           // the run compared new records only with old ones
	Sample       int            // number of kept records to compare with all others

	manifest *manifest.Manifest // manifest of the run; nil if the options describe it
	sumsOnly string             // why only the checksums in the manifest can be checked; "" if all can be checked
}

// audited lists the commands whose runs can be audited by their decisions.
var audited = []string{"fuzzy", "exact", "passages"}

// Default returns the options for a run of doppel fuzzy.
func Default() Options {
	return Options{
		Common: flags.Common{Mem: 1 << 30}, Of: "fuzzy", Keep: "best", Policy: "greedy",
		Threshold: 0.8, Shingle: text.Default.Shingle,
	}
}

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Of, "of", o.Of, "audit doppel `COMMAND`: fuzzy (default), exact or passages")
	fs.StringVar(&o.Decisions, "decisions", o.Decisions, "read the decisions of the run from `FILE`")
	fs.StringVar(&o.Scores, "scores", o.Scores, "also recompute and compare the scores in `FILE`")
	fs.StringArrayVarP(&o.Outputs, "output", "o", o.Outputs, "check `FILE`, which the run wrote; for shards, one per shard, or their directory")
	fs.StringArrayVar(&o.Against, "against", o.Against, "the run removed records similar to a record in `OLD`; may be repeated")
	fs.StringVar(&o.Index, "index", o.Index, "the run compared with the collection in `DIR`, and added the kept records")
	fs.StringVar(&o.Save, "save", o.Save, "the run saved its kept records to `FILE`; only a collection is read")
	fs.StringArrayVar(&o.AgainstField, "against-field", o.AgainstField, "the run read the text of old records at this `PATH`, not at --field; may be repeated")
	fs.StringVar(&o.AgainstID, "against-id", o.AgainstID, "the run read the id of old records at this `PATH`")
	fs.BoolVar(&o.OnlyAgainst, "only-against", o.OnlyAgainst, "the run compared new records only with old records")
	fs.StringVar(&o.Keep, "keep", o.Keep, "the run kept this `COPY`: best (default), first or none")
	fs.Var(&o.MinLeft, "min-left", "the run dropped a cut record if less than `BYTES|PERCENT` of its text was left")
	fs.Var(&o.Split, "split", "the run cut out `PARTS` of records: lines, paragraphs, sentences, or wN for N words")
	o.Sizes.Flags(fs)
	fs.Lookup("cluster-size").Usage = "the run added the field `FIELD` to each kept record: the number of records in its cluster"
	fs.Lookup("force-field").Usage = "with --cluster-size: the run replaced an existing field"
	fs.Lookup("repeat").Usage = "the run repeated each kept record as `LIST` sets for the size of its cluster: SIZE:TIMES,..., as in 1:1,2:2,100:8"
	fs.StringVar(&o.Policy, "policy", o.Policy, "the run decided by `POLICY`: greedy (default) or components")
	fs.Float64VarP(&o.Threshold, "threshold", "t", o.Threshold, "the threshold of the run was `T`")
	fs.Var(&o.Shingle, "shingle", "the run made shingles of N words or characters: `wN|cN`")
	fs.StringVar(&o.Normalize, "normalize", o.Normalize, "the run normalised texts by `HOW`: none, conservative, balanced, aggressive or url (default: the command's)")
	fs.StringVar(&o.Records.Within, "within", o.Records.Within, "the run compared only records that have the same value at this `PATH`")
	fs.StringVar(&o.Records.Across, "across", o.Records.Across, "the run compared only records that have different values at this `PATH`")
	fs.IntVar(&o.Sample, "sample", o.Sample, "estimate missed duplicates from `N` records (default: none); N kept records are compared with all others")
	o.acceptIdle(fs)
	shared := flags.Part{Common: &o.Common, Shared: flags.Records | flags.Dataset | flags.Memory | flags.Jobs | flags.KeepGoing | flags.Watch}
	flagset.Offer(fs, shared, append([]string{"field", "missing", "lines", "max-record", "to", "tree", "mem", "jobs", "keep-going", "progress", "no-progress"}, flags.DialectFlags...)...)
	fs.Lookup("field").Usage = "the run read texts at this `PATH` (default: the command's); may be repeated"
	fs.Lookup("to").Usage = "the run wrote `FORMAT`, whatever the name of the output"
	fs.Lookup("tree").Usage = "the run kept the relative paths of its inputs below -o DIR/"
	fs.Lookup("keep-going").Usage = "print all faults, not only the first one"
	flagset.Assign(fs, flagset.Input, "of", "decisions", "scores", "output")
	flagset.Assign(fs, flagset.Duplicates, "threshold", "shingle", "normalize", "split", "within", "across")
	flagset.Assign(fs, flagset.Kept, "policy", "keep", "against", "index", "against-field", "against-id", "only-against")
	flagset.Assign(fs, flagset.Evidence, "save")
	flagset.Assign(fs, flagset.Output, "min-left")
	flagset.Assign(fs, flagset.Evidence, "sample")
	flagset.AtLeast(fs, 1, "sample")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"of", "decisions", "scores", "output", "threshold", "policy", "keep", "against", "field", "sample", "jobs", "keep-going"}
}

// acceptIdle registers flags of a run that the audit does not need, so that the command line of the
// run can be used.
func (o *Options) acceptIdle(fs *pflag.FlagSet) {
	for _, name := range []string{"bands", "hot", "least", "rank", "recall", "rows", "seed", "slots"} {
		fs.String(name, "", "accepted, because the run may have this `VALUE`; the audit does not need it")
		flagset.Assign(fs, flagset.Ignored, name)
	}
	for _, name := range []string{"counts", "no-wait", "estimate"} {
		fs.Bool(name, false, "accepted, because the run may have it; the audit does not need it")
		flagset.Assign(fs, flagset.Ignored, name)
	}
}

// Check rejects invalid options.
func (o *Options) Check() error {
	switch {
	case o.sumsOnly != "":
		return nil
	case !slices.Contains(audited, o.Of):
		return tool.UsageError("--of %q: want fuzzy, exact or passages", o.Of)
	case o.Decisions == "":
		return tool.UsageError("want the manifest of the run, or --decisions FILE with the decisions that the run wrote")
	case len(o.Outputs) == 0:
		return tool.UsageError("--output FILE is required; FILE must be the output of the run")
	case !slices.Contains([]string{"best", "first", "none"}, o.Keep):
		return tool.UsageError("--keep %q: want best, first or none", o.Keep)
	case o.Policy != "greedy" && o.Policy != "components":
		return tool.UsageError("--policy %q: want greedy or components", o.Policy)
	case !(0 < o.Threshold && o.Threshold <= 1):
		return tool.UsageError("--threshold %v: want more than 0 and at most 1", o.Threshold)
	case o.Sample < 0:
		return tool.UsageError("--sample %d: want 0 or more", o.Sample)
	case o.Sample > 0 && o.Of == "passages":
		return tool.UsageError("--sample does not apply to doppel passages, which cuts parts of records")
	case o.Sample > 0 && len(o.Sizes.Repeat) > 0:
		return tool.UsageError("--sample and --repeat cannot be used together: --repeat writes equal records")
	case o.Sizes.Flag() != "" && o.Split != text.Unsplit:
		return tool.UsageError("--split cuts parts of records, so it cannot be used with %s", o.Sizes.Flag())
	case o.Scores != "" && o.Of != "fuzzy":
		return tool.UsageError("--scores applies only to doppel fuzzy")
	}
	_, err := o.normalization()
	return cmp.Or(err, option.CheckValues(&o.Records), o.Sizes.Check(&o.Records))
}

// normalization returns the normalisation that the run applied to texts.
func (o *Options) normalization() (how exacthash.Normalization, err error) {
	switch {
	case o.Normalize == "" && o.Of != "exact":
		how.Text = text.Balanced
	case o.Normalize != "" && o.Of != "exact":
		err = how.Text.Set(o.Normalize)
	case o.Normalize != "":
		err = how.Set(o.Normalize)
	}
	if err != nil {
		return how, tool.UsageError("--normalize: %v", err)
	}
	return how, nil
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	c := o.Common
	if len(o.Outputs) == 1 {
		c.OutputName = o.Outputs[0]
	}
	i := c.Idle()
	i.When(len(o.Against) == 0, "without --against", "against-field", "against-id")
	i.When(len(o.Against) == 0 && o.Index == "", "without --against or --index", "only-against")
	i.When(o.Of == "passages", "with --of passages", append(option.SizeFlags, "split")...)
	o.Sizes.Idle(&i)
	i.When(o.Of != "fuzzy", "with --of "+o.Of, "threshold", "shingle", "policy")
	i.When(o.Of != "exact", "with --of "+o.Of, "min-left")
	return i
}

// A run is one audit in progress.
type run struct {
	*Options
	e      *tool.Env
	inputs []string
	olds   []string // files of old records; those that Against names, except files of signatures
	how    text.Options
	urls   bool // texts are normalised as URLs
	seed   maphash.Seed
	opt    record.Options // options for reading texts from records

	cutter  *write.Cutter // nil if no parts are dropped
	decoder *record.Decoder

	scratch []*os.File // files that converted has written

	ledger  *ledger
	groups  groups         // records connected by scored pairs that reach the threshold
	places  *record.Places // positions of the input records in their files
	unknown int64          // number of records dropped by decisions without a claim to check
	counted int64          // number of recomputed scores
	faults  int64          // number of faults found
	sums    int64          // number of files compared with the manifest

	collections []*collected
	collected   *collected // the first of these, or nil

	records, kept, dropped int64 // numbers of input records: in total, kept and dropped
}

// Run audits a run that read the files named by operands.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if o.sumsOnly != "" {
		return o.auditSums(e)
	}
	if len(operands) == 0 {
		return tool.UsageError("want the names of the run's inputs")
	}
	if slices.Contains(append(slices.Clone(operands), o.Decisions, o.Scores), "-") {
		return tool.UsageError("-: want a file, because it is read more than once")
	}
	collections, err := o.findCollections()
	for _, x := range collections {
		defer x.Close()
	}
	if err == nil && len(collections) > 0 {
		err = o.adopt(e, collections[0])
	}
	if err != nil {
		return err
	}
	how, err := o.normalization()
	if err != nil {
		return err
	}
	inputs, err := o.findShards(e, operands)
	if err != nil {
		return err
	}
	a := &run{
		Options: o, e: e, inputs: inputs, how: text.Options{Shingle: o.Shingle, Normalize: how.Text}, urls: how.URL, seed: maphash.MakeSeed(),
		opt: e.Records, places: new(record.Places), groups: groups{}, ledger: newLedger(inputs, o.Against), collections: collections,
	}
	if len(collections) > 0 {
		a.collected, a.ledger.collected = collections[0], collections[0]
	}
	defer a.places.Close()
	if len(a.opt.Fields) == 0 && !a.opt.Lines && (o.Of != "exact" || o.Split != text.Unsplit) {
		a.opt.Fields = []string{flags.Text}
	}
	if err := cmp.Or(e.Reads(append(slices.Clone(o.Outputs), o.Decisions)...), e.Reads(o.Against...)); err != nil {
		return err
	}
	steps := []func() error{a.checkSums, a.nameOld, a.nameCollected, a.readDecisions, a.compareRecords, a.checkIDs, a.recountDrops, a.checkHashes, a.recountScores, a.checkConnected, a.checkAdded}
	for _, step := range steps {
		if err := step(); err == errFirst {
			break
		} else if err != nil {
			return err
		}
	}
	return a.end()
}

// nameOld divides the files of --against into records and signatures, and reads the ids of old
// records unless the ids are file:ordinal.
func (a *run) nameOld() error {
	for _, name := range a.Against {
		if a.collected != nil {
			break // the collection is the only one
		}
		old := a.ledger.old[filepath.Clean(name)]
		add := func(id []byte) {
			a.ledger.named[maphash.Bytes(a.ledger.seed, id)] = ref{space: old, ordinal: old.records}
		}
		var s line.Signature
		first, err := lineio.First(a.e, name)
		old.bare = err == io.EOF || err == nil && s.Parse(first) == nil && schemes.Method(string(s.Scheme)) != ""
		switch {
		case errors.As(err, new(*seal.Broken)):
			return err
		case old.bare:
			err = a.eachLine(name, func(text []byte, number int64) error {
				if err := s.Parse(text); err != nil {
					return &record.SyntaxError{Name: name, Line: number, Err: err}
				}
				add(s.ID)
				old.records++
				return nil
			})
		case a.AgainstID == "":
			err = nil // errors are reported when the records are read
		default:
			old.byID = true
			opt := a.oldOptions()
			opt.ID, opt.IDFlag, opt.WithFilename, opt.Mixed, opt.NoText = a.AgainstID, "--against-id", true, true, true
			opt.Fields, opt.Within, opt.Across = nil, "", ""
			var rd *record.Reader
			if rd, err = record.NewReader(a.e.Input([]string{name}), opt); err == nil {
				err = tool.EachRecord(a.e, rd, func(rec *record.Record) error {
					add(rec.ID)
					old.records++
					return nil
				})
			}
			old.records = 0 // compareRecords counts them again
		}
		if err != nil {
			return err
		}
		if !old.bare {
			a.olds = append(a.olds, name)
		}
	}
	return nil
}

// findShards returns the names of the inputs. If the output is a directory, findShards replaces
// o.Outputs with the names of the outputs in it, one per input.
func (o *Options) findShards(e *tool.Env, operands []string) (inputs []string, err error) {
	c := o.Common
	if c.OutputName = o.Outputs[0]; len(o.Outputs) > 1 || !c.Directory() {
		return operands, nil
	}
	shards, err := c.Shards(operands, e.Called)
	o.Outputs = nil
	for _, s := range shards {
		inputs, o.Outputs = append(inputs, s.Input), append(o.Outputs, s.Place)
	}
	return inputs, err
}

// errFirst ends an audit after its first fault.
var errFirst = errors.New("a fault")

// report prints a fault. It returns errFirst unless -k is given.
func (a *run) report(f audit.Fault) error {
	a.faults++
	if _, err := a.e.Out.WriteString(msg.Printable(f.String()) + "\n"); err != nil {
		return err
	}
	if !a.KeepGoing {
		return errFirst
	}
	return nil
}

// end prints the result of the audit as one line.
func (a *run) end() (err error) {
	if a.faults > 0 {
		if a.manifest == nil {
			a.e.Note("if the run had --field, --normalize, --shingle, --split, --min-left, --within, --across or --against, the audit needs the same options; a manifest of the run has them all")
		}
		if a.KeepGoing {
			fmt.Fprintf(a.e.Out, "%s\n", msg.Number(a.faults, "fault"))
		}
		return cmp.Or(a.e.Out.Flush(), error(tool.Exit(tool.ExitNothing)))
	}
	missed := ""
	if a.Sample > 0 {
		if missed, err = a.estimate(); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(a.e.Out, "%s: no fault%s%s\n", a.summary(), missed, a.unchecked())
	return err
}
