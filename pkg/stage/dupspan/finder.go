package dupspan

import (
	"errors"
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/method"
	"doppel/pkg/method/field"
	"doppel/pkg/msg"
	"doppel/pkg/passage"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/passage/keyline"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// finder returns a finder to which all runs have been added, and the scheme of the runs. The finder
// is nil if the input has no keys.
func (o *Options) finder(e *tool.Env, d *data, operands []string) (*corpus.Finder, passage.Scheme, error) {
	if o.Scan {
		if len(operands) > 0 {
			return nil, passage.Scheme{}, tool.UsageError("--scan reads no keys: want no operand, not %q", operands[0])
		}
		return o.scan(e, d)
	}
	k := keys{options: o, e: e, data: d}
	if d.named || d.valued { // read the ids and values of the records before the keys, which name the records
		all := d.pass(own, numParts)
		all.bare = !d.valued
		if err := all.each(func([][]byte) {}); err != nil {
			return nil, k.scheme, err
		}
		if err := d.endFirstReading(); err != nil {
			return nil, k.scheme, err
		}
	}
	err := lineio.Each(e, operands, k.addLine)
	if err != nil && k.finder != nil {
		k.finder.Close()
	}
	return k.finder, k.scheme, err
}

func (o *Options) scan(e *tool.Env, d *data) (*corpus.Finder, passage.Scheme, error) {
	scheme, err := method.PassageScheme(o.Length, o.Normalize)
	if err != nil {
		return nil, scheme, err
	}
	var f *corpus.Finder
	if len(o.Reference) > 0 {
		f, err = o.scanAgainst(e, d, scheme)
	} else if err = o.refuseKeys(e); err == nil {
		if f, err = o.newFinder(e, d, scheme); err == nil {
			err = f.Scan(d.open)
		}
	}
	if err == nil {
		err = d.endFirstReading()
	}
	if err != nil && f != nil {
		err = errors.Join(err, f.Close())
	}
	return f, scheme, err
}

// scanAgainst returns a finder with the runs of the input records, which it computes, and those of
// the old records, which it reads from the saved keys of --against. It still reads the texts of the
// old records, because texts are compared byte by byte.
//
// A text of n units has n-L+1 passages of length L, each in one run. scanAgainst returns an error
// if the keys of an old record have a different number of passages, because keys must then be
// missing or belong to other records.
func (o *Options) scanAgainst(e *tool.Env, d *data, s passage.Scheme) (*corpus.Finder, error) {
	var want []uint32 // number of passages in each record of --against
	units := passage.NewUnits(s)
	err := d.pass(theirs, own).each(func(texts [][]byte) {
		for _, t := range texts {
			units.Set(t)
			want = append(want, uint32(max(0, units.Len()-s.Length+1)))
		}
	})
	if err == nil {
		err = d.err
	}
	if err != nil {
		return nil, err
	}
	k := keys{options: o, e: e, data: d, wanted: &s, passages: make([]uint32, len(want))}
	if err = lineio.Each(e, o.Against, k.addLine); err == nil && k.finder == nil {
		k.finder, err = o.newFinder(e, d, s)
	}
	if err != nil {
		return k.finder, err
	}
	for i, n := range k.passages {
		if n != want[i] {
			err := fmt.Errorf("record %s: keys of %s, want %d", d.appendID(nil, i), msg.Number(int(n), "passage"), want[i])
			return k.finder, msg.WithHint(err, "give all keys that {recsign} -m passage -H and {lshkeys} make from the records of --against-records")
		}
	}
	k.finder.Precede(d.reference())
	return k.finder, k.finder.Scan(func() (func() (corpus.Batch, error), error) { return d.pass(own, numParts).next, nil })
}

// refuseKeys returns an error if a file of --against begins with a key instead of a record. Other
// faults are reported when the file is read.
func (o *Options) refuseKeys(e *tool.Env) error {
	for _, name := range o.Against {
		var k line.Key
		first, err := lineio.First(e, name)
		if err != nil || k.Parse(first) != nil {
			continue
		}
		if _, _, err := keyline.ParseKey(k.Text); err == nil {
			return msg.WithHint(fmt.Errorf("%s: a file of keys, but their records are needed to compare bytes", name), "give the records with --against-records")
		}
	}
	return nil
}

func (o *Options) newFinder(e *tool.Env, d *data, s passage.Scheme) (*corpus.Finder, error) {
	rule := passage.Rule{Keep: passage.KeepFirst, Copies: o.Copies}
	if o.Keep == "none" {
		rule.Keep = passage.KeepNone
	}
	opt := corpus.Options{Scheme: s, Rule: rule, Mem: int64(e.Mem), Jobs: e.Jobs, Across: e.Records.Across != ""}
	if d.valued {
		opt.Value = func(record int) uint32 { return d.value[record] }
	}
	return corpus.New(opt)
}

// A keys value parses lines with keys and adds the runs of passages in them to a finder.
type keys struct {
	options *Options
	e       *tool.Env
	data    *data
	word    string // scheme of the first key, as written in the key
	scheme  passage.Scheme
	finder  *corpus.Finder // nil before the first key

	wanted   *passage.Scheme // required scheme, except for the window; nil to accept any scheme
	passages []uint32        // number of passages in the keys of each record; used only if wanted is not nil
}

func (k *keys) addLine(text []byte) error {
	var l line.Key
	if err := l.Parse(text); err != nil {
		return err
	}
	hash, word, err := keyline.ParseKey(l.Text)
	if err == nil {
		err = k.checkScheme(word)
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

// checkScheme sets the scheme and creates the finder from the scheme of the first key. It returns
// an error if a later key has another scheme.
func (k *keys) checkScheme(word string) (err error) {
	switch {
	case word == k.word:
		return nil
	case k.word != "":
		return fmt.Errorf("the key has the scheme %s, but earlier keys have %s", word, k.word)
	}
	rest, fields, err := field.Cut(word)
	if err != nil {
		return err
	}
	records := k.e.Records
	if k.wanted != nil {
		records = k.options.Old.Options(records)
	}
	records.Within, records.Across = "", "" // keys do not depend on --within or --across
	if want := field.Part(records); fields != want {
		return fmt.Errorf("the keys have the scheme %s, but this run needs %s%s: --field differs", word, rest, want)
	}
	if k.scheme, err = passage.ParseScheme(rest); err != nil {
		return err
	}
	if w := k.wanted; w != nil && (k.scheme.Unit != w.Unit || k.scheme.Length != w.Length || k.scheme.Normalize != w.Normalize) {
		err := fmt.Errorf("the keys have the scheme %s, but this run needs %v", word, w)
		return msg.WithHint(err, "give --length and --normalize as for {recsign}, or make the keys again")
	}
	if k.finder, err = k.options.newFinder(k.e, k.data, k.scheme); err == nil {
		k.word = word
	}
	return err
}

func (k *keys) number(id []byte) (int, error) {
	if !k.data.named {
		n, ok := ids.Ordinal(id)
		if !ok {
			return 0, msg.WithHint(fmt.Errorf("id %q is not an ordinal", id), "give --id or -H as for {recsign}")
		}
		if k.data.valued && n >= int64(len(k.data.value)) {
			return 0, fmt.Errorf("no record has the id %q", id)
		}
		return int(n), nil
	}
	n, ok := k.data.ids.Lookup(id)
	switch {
	case ok:
		return int(n), nil
	case k.wanted != nil:
		return 0, msg.WithHint(fmt.Errorf("no record of --against-records has the id %q", id), "sign the records with {recsign} -H, which makes ids file:ordinal")
	}
	return 0, fmt.Errorf("no record has the id %q", id)
}
