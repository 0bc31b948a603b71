package pipeline

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/method"
	"doppel/pkg/record"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// Old says what the records are held against that was there before.
//
// Old records are the better ones, whatever ranks the new, and are not compared with
// each other. Where they are at hand their texts are; where there are signatures of
// them, the new ones are found by those, which are read and not held. The signatures
// that are saved are of what is kept, so a dataset that comes in parts is left with
// what one run over all of it leaves.
type Old struct {
	Against []string // datasets, or signatures that were saved
	Only    bool     // new records are not compared with each other
	Save    string   // where the signatures of what is kept are written

	data, signatures []string // of Against, when it is known which is which
}

// Flags registers the flags.
func (o *Old) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Against, "against", o.Against, "remove also what is like a record of `OLD`: a dataset, or signatures of --save; may be given again")
	fs.BoolVar(&o.Only, "only-against", o.Only, "remove nothing else")
	fs.StringVar(&o.Save, "save", o.Save, "write the signatures of what is kept to `SIGS`, for --against")
}

// Check refuses what means nothing.
func (o *Old) Check() error {
	if o.Only && len(o.Against) == 0 {
		return tool.UsageError("--only-against needs --against")
	}
	for _, name := range o.Against {
		if once(name) {
			return tool.UsageError("--against %s is read more than once: want a file", name)
		}
	}
	return nil
}

// sort finds out which of the old files are signatures. They must be of the scheme.
func (o *Old) sort(e *tool.Env, scheme string, opt record.Options) error {
	o.data, o.signatures = nil, nil
	if err := e.Reads(o.Against...); err != nil {
		return err
	}
	for _, name := range o.Against {
		found, err := schemeOf(e, name, opt)
		switch {
		case err != nil:
			return err
		case found == "":
			o.data = append(o.data, name)
		case found != scheme:
			return wording.WithHint(fmt.Errorf("%s has signatures of the scheme %s, and this run signs by %s", name, found, scheme),
				"give --shingle, --normalize, --slots, --seed and --field as they were then, or sign the old data again")
		default:
			o.signatures = append(o.signatures, name)
		}
	}
	return nil
}

// schemeOf returns the scheme of a file that begins with a signature, or "" for data.
func schemeOf(e *tool.Env, name string, opt record.Options) (string, error) {
	rec, err := first(e, name, record.Options{Lines: true})
	if rec == nil {
		return "", err // what else is wrong with it a stage will tell
	}
	var s line.Signature
	if s.Parse(rec.Raw) != nil {
		return "", isData(e, name, opt)
	}
	if _, err := method.Parse(string(s.Scheme)); err != nil {
		return "", isData(e, name, opt)
	}
	if _, ordinal := ids.Ordinal(s.ID); ordinal {
		err := fmt.Errorf("%s:1: %q, the id of an old record, may be that of a new one", name, s.ID)
		return "", wording.WithHint(err, "sign the old ones with -H, or by doppel fuzzy --save")
	}
	return string(s.Scheme), nil
}

// first returns the first record of a file, if it has any.
func first(e *tool.Env, name string, opt record.Options) (*record.Record, error) {
	rd, err := record.NewReader(e.Input([]string{name}), opt)
	if err != nil {
		return nil, err
	}
	var b record.Batch
	if rd.Next(&b) != nil || len(b.Records) == 0 {
		return nil, nil
	}
	b.Decode()
	return &b.Records[0], nil
}

// isData refuses a file that begins as neither data nor signatures do.
func isData(e *tool.Env, name string, opt record.Options) error {
	if opt.Expect = 0; e.KeepGoing {
		return nil
	}
	rec, err := first(e, name, opt)
	var bad *record.SyntaxError
	if rec == nil || !errors.As(rec.Err, &bad) || bytes.HasPrefix(rec.Raw, []byte{'{'}) {
		return err // a stage will tell
	}
	return wording.WithHint(fmt.Errorf("neither data nor signatures: %w", bad),
		"--against takes data as the operands are, or signatures that doppel fuzzy --save wrote")
}

// against is the plan that decides of new records, by pairs with old ones and then by
// those of each other.
func (f *Fuzzy) against(data []word) decidingPlan {
	c := &growth{Fuzzy: f, data: data, fresh: &scratch{}}
	c.plan = Plan{{stages: []Stage{f.sign(data)}, into: c.fresh}}
	olds := append(c.byTexts(operands(f.Old.data)), c.bySignatures(operands(f.Old.signatures))...)
	rest := plain("/dev/null")
	if !f.Old.Only {
		rest = c.scored(f.pair(), f.verify(data))
	}
	return f.listed(c.plan, f.group(data).with(flagged("against", olds), laterReader(olds)).on(rest))
}

// A growth is a plan that grows by the pairs of new records.
type growth struct {
	*Fuzzy
	data  []word
	fresh *scratch // their signatures
	plan  Plan
}

// scored adds the step that pairs the new records and scores that, and returns what it
// writes.
func (c *growth) scored(pair, score Stage) []word {
	held := &scratch{of: "<pairs with old records>"}
	c.plan = append(c.plan, step{stages: []Stage{pair.on([]word{{scratch: c.fresh}}), score}, into: held})
	return []word{{scratch: held}}
}

// byTexts scores by the texts of old records, if there are any.
func (c *growth) byTexts(old []word) []word {
	if len(old) == 0 {
		return nil
	}
	signed := &scratch{}
	c.plan = append(c.plan, step{stages: []Stage{c.signOld(old)}, into: signed})
	return c.scored(c.pair().with(from("against", signed)), c.verify(c.data).with(flagged("against", old)))
}

// bySignatures scores by signatures of old records, if there are any.
func (c *growth) bySignatures(old []word) []word {
	if len(old) == 0 {
		return nil
	}
	against := flagged("against", old)
	return c.scored(c.pair().with(against), c.estimate(c.fresh).with(against))
}

// signOld returns the stage that signs old records, whose ids no new one has.
func (f *Fuzzy) signOld(old []word) Stage {
	o := f.Sign
	o.Records.WithFilename = true
	return stage("recsign", plain(o.Args()...), laterReader(old)).on(old)
}

// estimate returns the stage that scores by signatures.
func (f *Fuzzy) estimate(fresh *scratch) Stage {
	o := jaccard.Default()
	o.Threshold, o.Jobs = f.Pair.Keys.Threshold, f.Verify.Jobs
	return stage("jaccard", plain(o.Args()...), from("sigs", fresh))
}

// save returns the step that signs what is kept, if that is wanted.
func (f *Fuzzy) save(data, list []word) Plan {
	if f.Old.Save == "" || f.Job.dry() {
		return nil
	}
	o := f.Sign
	o.Records.WithFilename = true
	s := stage("recsign", plain(o.Args()...), f.told(), said(copyNames(data)), decodedFile("decoded", data), further(f.Old.Save), flagged("without", list))
	return Plan{{stages: []Stage{s.on(data)}}}
}
