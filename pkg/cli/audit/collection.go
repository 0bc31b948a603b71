package audit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"slices"

	"doppel/pkg/audit"
	"doppel/pkg/collection"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/manifest"
	"doppel/pkg/method/field"
	"doppel/pkg/minhash"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
)

// A collected is a collection that the run compared its records with, or added them to.
type collected struct {
	*collection.Collection
	dir     string
	about   *manifest.Collection // what the manifest of the run says; nil without a manifest
	changed bool                 // the collection has been changed since the run
	first   int64                // number of records before the run, or at the end of a run that added none

	added int64     // number of kept records found in it
	space *space    // the old records that decisions name
	olds  []named   // these records
	texts spill.Log // their texts, if the collection has texts
}

// A named is an old record that a decision names.
type named struct {
	id       string
	number   int64 // in the collection
	at, size int64 // of its text in the log
}

// findCollections opens the collections of the run. The run compared its records with the first
// one, unless that was new.
func (o *Options) findCollections() (all []*collected, err error) {
	add := func(dir string, about *manifest.Collection) {
		x := &collected{dir: dir, about: about}
		if err == nil {
			if x.Collection, err = collection.Open(dir); err == nil {
				x.compareState()
				all = append(all, x)
			} else if about != nil && errors.Is(err, collection.ErrNone) {
				err = msg.WithHint(err, "names in a manifest are relative to the directory of the run")
			}
		}
	}
	if o.manifest != nil {
		for i := range o.manifest.Collections {
			add(o.manifest.Collections[i].Name, &o.manifest.Collections[i])
		}
	} else {
		for _, dir := range slices.Concat([]string{o.Index}, o.Against, []string{o.Save}) {
			if len(all) == 0 && dir != "" && (dir == o.Index || collection.Is(dir) || dir == o.Save && option.IsCollection(dir)) {
				add(dir, nil)
			}
		}
	}
	if err == nil && len(all) > 0 && o.Sample > 0 {
		err = tool.UsageError("--sample does not apply to a run with a collection")
	}
	return all, err
}

// compareState compares the collection with what the manifest of the run says.
func (x *collected) compareState() {
	now := x.State()
	x.first = now.Records
	if x.about != nil {
		x.changed = manifest.State(now) != *cmp.Or(x.about.After, x.about.Before)
		if x.first = 0; x.about.Before != nil {
			x.first = x.about.Before.Records
		}
	}
}

// adopt takes the options that say how texts were compared from the scheme of the collection. It
// returns an error if an option that was given differs.
func (o *Options) adopt(e *tool.Env, x *collected) error {
	s := x.Scheme()
	if x.about != nil {
		if err := json.Unmarshal(x.about.Scheme, &s); err != nil {
			return fmt.Errorf("%s: the scheme in the manifest: %w", x.dir, err)
		}
	}
	if s.Tool != o.Of {
		return tool.UsageError("--of %s: %s is a collection of doppel %s", o.Of, x.dir, s.Tool)
	}
	normalize, shingle, within := "", o.Shingle, o.Records.Within
	if o.Of == "exact" {
		word, part, err := field.Cut(s.Signature)
		if err != nil {
			return err
		}
		how, err := exacthash.ParseScheme(word)
		if err != nil {
			return err
		}
		normalize, within = how.Normalize.String(), field.WithinOf(part)
	} else {
		how, err := minhash.ParseScheme(s.Signature)
		if err != nil {
			return err
		}
		normalize, shingle = how.Text.Normalize.String(), how.Text.Shingle
	}
	for _, x := range []struct {
		flag       string
		value, had any
		same       bool
	}{
		{"threshold", o.Threshold, s.Threshold, o.Threshold == s.Threshold},
		{"shingle", &o.Shingle, &shingle, o.Shingle == shingle},
		{"normalize", o.Normalize, normalize, o.Normalize == normalize},
		{"within", o.Records.Within, within, o.Records.Within == within},
	} {
		if e.Given(x.flag) && !x.same {
			return tool.UsageError("--%s %v: the collection of the run has %v", x.flag, x.value, x.had)
		}
	}
	o.Normalize, o.Shingle, o.Records.Within = normalize, shingle, within
	if o.Of == "fuzzy" {
		o.Threshold = s.Threshold
	}
	if fields := field.Split(s.Field); len(fields) > 0 && len(o.Records.Fields) == 0 && !o.Records.Lines {
		o.Records.Fields = fields
	}
	e.Records.Fields, e.Records.Within = o.Records.Fields, o.Records.Within
	return nil
}

// hasTexts reports whether the collection has the texts of its records.
func (x *collected) hasTexts() bool { return !x.Scheme().Rest && x.Scheme().SignatureBytes == 0 }

// nameCollected reads the old records that decisions name, with their texts.
func (a *run) nameCollected() error {
	x := a.collected
	if x == nil {
		return nil
	}
	x.space = &space{name: x.dir, order: 1 + len(a.inputs), old: true, byID: true}
	if x.changed {
		x.space.bare, x.space.records = true, 1
		return nil
	}
	wanted := map[uint64]bool{} // true if a record has been found
	err := a.eachDecision(func(d *line.Decision, _ int64) error {
		if _, ordinal := ids.Ordinal(d.Kept); d.Kept != nil && !ordinal {
			wanted[maphash.Bytes(a.ledger.seed, d.Kept)] = false
		}
		return nil
	})
	if err != nil || len(wanted) == 0 {
		return err
	}
	several := &space{name: x.dir, old: true, bare: true, records: 1}
	left, texts := x.first, x.hasTexts()
	err = x.EachFrom(0, func(number int64, id, text []byte) error {
		if left--; left < 0 {
			return errEnough
		}
		h := maphash.Bytes(a.ledger.seed, id)
		found, ok := wanted[h]
		switch {
		case !ok:
			return nil
		case found: // the decisions do not say which one
			a.ledger.named[h] = ref{space: several}
			return nil
		}
		wanted[h] = true
		a.ledger.named[h] = ref{space: x.space, ordinal: int64(len(x.olds))}
		n := named{id: string(id), number: number}
		if texts {
			n.at, n.size = x.texts.Len(), int64(len(text))
			if _, err := x.texts.Write(text); err != nil {
				return err
			}
		}
		x.olds = append(x.olds, n)
		return nil
	})
	if err == errEnough {
		err = nil
	}
	x.space.records, x.space.hashed = int64(len(x.olds)), x.Scheme().Rest
	x.space.bare = x.space.hashed && a.keyed() || x.Scheme().SignatureBytes > 0
	x.space.first, a.ledger.all.first = a.ledger.all.first, a.ledger.all.first+x.space.records
	return err
}

// errEnough ends a loop over the records of a collection.
var errEnough = errors.New("enough")

// keyed reports whether the run had a key, which the audit does not have.
func (a *run) keyed() bool {
	word, _, err := field.Cut(a.collected.Scheme().Signature)
	s, perr := exacthash.ParseScheme(word)
	return err != nil || perr != nil || s.Keyed()
}

// readCollected stores the prints of the old records that claims need.
func (r *recounting) readCollected() error {
	x := r.collected
	if x == nil || x.space.bare || x.space.hashed {
		return nil
	}
	w, p, window := audit.NewPrinter(r.how, r.seed), new(prints), x.texts.Window(1<<18)
	for i, old := range x.olds {
		place := x.space.first + int64(i)
		if !r.claims.Wanted(place) {
			continue
		}
		text, err := window.Bytes(old.at, old.size)
		if err != nil {
			return err
		}
		p.words, p.all = p.words[:0], p.all[:0]
		r.print(p, w, &record.Record{Text: text}, place)
		if _, err := r.collectDue(p, p.all, place); err != nil {
			return err
		}
	}
	return nil
}

// An addition is a record of the collection.
type addition struct{ id, text []byte }

// additions returns the records of the collection after those that it held before the run.
func (x *collected) additions() iter.Seq2[addition, error] {
	return func(yield func(addition, error) bool) {
		err := x.EachFrom(x.first, func(_ int64, id, text []byte) error {
			if !yield(addition{id, text}, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && err != errEnough {
			yield(addition{}, err)
		}
	}
}

// checkAdded compares the records that the run kept with those that it added to a collection.
func (a *run) checkAdded() error {
	for _, x := range a.collections {
		if x.about != nil && x.about.After != nil && !x.changed {
			if err := a.compareAdded(x); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareAdded compares the records that the run kept with those that it added to a collection that
// is as the run left it. It reports only the first difference.
func (a *run) compareAdded(x *collected) error {
	opt := a.opt
	opt.WithFilename = true
	if id, given := a.manifest.Values("id"); given {
		opt.ID = id[0]
	}
	signer, err := exacthash.Options{Whole: len(opt.Fields) == 0 && !opt.Lines}.NewSigner()
	if err != nil {
		return err
	}
	src, err := a.source(a.inputs, opt)
	if err != nil {
		return err
	}
	src.texts = true
	next, stop := iter.Pull2(x.additions())
	defer stop()
	for {
		rec, err := src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if a.ledger.all.dropped.has(rec.Ordinal) || rec.Missing && opt.Missing == record.MissingDrop {
			continue
		}
		if rec.Err != nil {
			return rec.Err
		}
		if _, ok := signer.Sum(rec.Text, rec.Ends); !ok && x.Scheme().Rest {
			continue // a record without a hash is not in a collection of hashes
		}
		found, err, more := next()
		if err != nil {
			return err
		}
		f := audit.Fault{Name: rec.Name, Line: rec.Line, Record: rec.Ordinal}
		switch {
		case !more:
			f.What = "is kept, but is not in the collection " + x.dir
		case !bytes.Equal(found.id, rec.ID):
			f.What = fmt.Sprintf("is kept, but the collection %s has %q in its place", x.dir, found.id)
		case x.hasTexts() && !bytes.Equal(found.text, rec.Text):
			f.What = "has another text in the collection " + x.dir
		default:
			x.added++
			continue
		}
		return a.report(f)
	}
	found, err, more := next()
	if err != nil || !more {
		return err
	}
	return a.report(audit.Fault{Name: x.dir, Record: -1, What: fmt.Sprintf("has %q, which the run did not keep", found.id)})
}

// unchecked says what could not be checked of the collections.
func (a *run) unchecked() (text string) {
	for _, x := range a.collections {
		switch {
		case x.changed:
			text += fmt.Sprintf("; %s was changed after the run, so it was not compared", x.dir)
		case x.about == nil:
			text += fmt.Sprintf("; without a manifest, it is not known what %s held before the run, and what the run added was not compared", x.dir)
		}
	}
	return text
}
