package dupspan

import (
	"errors"
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/method"
	"doppel/pkg/method/field"
	"doppel/pkg/passage"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/passage/keyline"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// finder returns what knows all runs, and their scheme: nil if there is none.
func (o *Options) finder(e *tool.Env, d *data, operands []string) (*corpus.Finder, passage.Scheme, error) {
	if o.Scan {
		if len(operands) > 0 {
			return nil, passage.Scheme{}, tool.UsageError("--scan reads no keys, but %q is given", operands[0])
		}
		return o.scan(e, d)
	}
	k := keys{options: o, e: e, data: d}
	if d.named {
		if err := d.readIDs(); err != nil {
			return nil, k.scheme, err
		}
	}
	err := lines.Each(e, operands, k.take)
	if err != nil && k.finder != nil {
		k.finder.Close()
	}
	return k.finder, k.scheme, err
}

// scan finds the runs in the records.
func (o *Options) scan(e *tool.Env, d *data) (*corpus.Finder, passage.Scheme, error) {
	scheme, err := method.PassageScheme(o.Length, o.Normalize)
	if err != nil {
		return nil, scheme, err
	}
	var f *corpus.Finder
	if len(o.Reference) > 0 {
		f, err = o.scanAgainst(e, d, scheme)
	} else {
		f, err = o.scanAll(e, d, scheme)
	}
	if err == nil {
		err = d.settle()
	}
	if err != nil && f != nil {
		err = errors.Join(err, f.Close())
	}
	return f, scheme, err
}

// scanAll finds the runs of all records.
func (o *Options) scanAll(e *tool.Env, d *data, s passage.Scheme) (*corpus.Finder, error) {
	if err := o.refuseKeys(e); err != nil {
		return nil, err
	}
	f, err := o.newFinder(e, s)
	if err != nil {
		return nil, err
	}
	return f, f.Scan(d.open)
}

func (o *Options) newFinder(e *tool.Env, s passage.Scheme) (*corpus.Finder, error) {
	return corpus.New(corpus.Options{Scheme: s, Rule: o.rule(), Mem: int64(e.Mem), Jobs: e.Jobs})
}

// keys are lines of keys on their way into a finder.
type keys struct {
	options *Options
	e       *tool.Env
	data    *data
	word    string // the scheme, as the first key has it
	scheme  passage.Scheme
	finder  *corpus.Finder // nil before the first key

	wanted   *passage.Scheme // that they must have, but for the window; nil: any
	passages []uint32        // with wanted: how many came, by record
}

// take takes a line.
func (k *keys) take(text []byte) error {
	var l line.Key
	if err := l.Parse(text); err != nil {
		return err
	}
	hash, word, err := keyline.ParseKey(l.Text)
	if err == nil {
		err = k.settle(word)
	}
	if err != nil {
		return err
	}
	id, run, err := keyline.ParsePlace(l.ID)
	if err != nil {
		return err
	}
	n, err := k.number(id)
	if err != nil {
		return err
	}
	run.Hash = hash
	if k.wanted != nil {
		k.passages[n] += uint32(run.Count)
	}
	return k.finder.Add(n, run)
}

// settle takes the scheme of the first key, and refuses others.
func (k *keys) settle(word string) (err error) {
	switch {
	case word == k.word:
		return nil
	case k.word != "":
		return fmt.Errorf("two schemes: %s, and %s before", word, k.word)
	}
	rest, fields, err := field.Cut(word)
	if err != nil {
		return err
	}
	if want := field.Part(k.e.Records); fields != want {
		return fmt.Errorf("the keys are of the scheme %s, and the texts of %s%s: --field differs", word, rest, want)
	}
	if k.scheme, err = passage.ParseScheme(rest); err != nil {
		return err
	}
	if w := k.wanted; w != nil && (k.scheme.Unit != w.Unit || k.scheme.Length != w.Length || k.scheme.Normalize != w.Normalize) {
		err := fmt.Errorf("the keys are of the scheme %s, and %v is looked for", word, w)
		return wording.WithHint(err, "give --length and --normalize as recsign had them, or make the keys again")
	}
	if k.finder, err = k.options.newFinder(k.e, k.scheme); err == nil {
		k.word = word
	}
	return err
}

// number returns the number of the record of an id.
func (k *keys) number(id []byte) (int, error) {
	if !k.data.named {
		n, ok := ids.Ordinal(id)
		if !ok {
			return 0, wording.WithHint(fmt.Errorf("id %q is no ordinal", id), "--id or -H as for recsign tells which record it is")
		}
		return int(n), nil
	}
	n, ok := k.data.ids.Lookup(id)
	switch {
	case ok:
		return int(n), nil
	case k.wanted != nil:
		return 0, wording.WithHint(fmt.Errorf("no record of --against-records has the id %q", id), "recsign -H names them by file and number")
	}
	return 0, fmt.Errorf("no record has the id %q", id)
}
