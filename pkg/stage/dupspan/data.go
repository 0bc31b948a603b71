package dupspan

import (
	"cmp"
	"fmt"
	"io"
	"sync"

	"doppel/pkg/line/ids"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// data reads the records, several times, as one corpus. The records of --against come first, so
// that they are the first copies.
type data struct {
	e      *tool.Env
	parts  [behind]part
	wanted func(number int) bool // reports whether a text is needed; nil: all are
	known  bool                  // an earlier reading stored ids and sizes, and reported bad records
	err    error                 // from reading the ids
	absent int                   // values missing from the texts
	has    record.Presence       // of fields in arrays
	ids    ids.Table             // by number; if not named, ids are the numbers
	named  bool
	valued bool      // the records have values of --within or --across
	values ids.Table // distinct values of --within or --across
	value  []uint32  // for each record, the number in values of its value
	pool   sync.Pool
}

// The parts of the data.
const (
	theirs = iota // of --against
	own
	behind // one past the last part
)

// A part is a list of files that are read with the same options.
type part struct {
	names   []string
	opt     record.Options
	records int // known after the first reading
}

// newData returns the data in some files. Records of --against are read with other options, and
// their ids contain the file name, so that they differ from the ids of the other records.
func newData(e *tool.Env, against, names []string, old record.Options) *data {
	opt := e.Records
	d := &data{e: e, named: len(against) > 0 || opt.ID != "" || opt.WithFilename}
	d.parts[own] = part{names: names, opt: opt}
	d.valued = opt.Within != "" || opt.Across != ""
	d.parts[theirs] = part{names: against, opt: old}
	d.pool.New = func() any { return new(record.Batch) }
	return d
}

// reference returns the number of records of --against.
func (d *data) reference() int { return d.parts[theirs].records }

func (d *data) appendID(dst []byte, number int) []byte {
	if !d.named {
		return fmt.Append(dst, number)
	}
	return d.ids.Append(dst, number)
}

// open is a corpus.Source of all records.
func (d *data) open() (func() (corpus.Batch, error), error) { return d.pass(theirs, behind).next, nil }

// pass returns a pass over the parts from one up to, but not including, another.
func (d *data) pass(from, to int) *pass { return &pass{data: d, at: from - 1, end: to} }

// A pass is one reading of some parts.
type pass struct {
	*data
	at, end int  // the current part, and one past the last
	bare    bool // no texts are read
	rd      *record.Reader
}

// each calls fn with the texts of each batch.
func (r *pass) each(fn func(texts [][]byte)) error {
	for {
		b, err := r.next()
		if err == io.EOF {
			return nil
		}
		var texts [][]byte
		if err == nil {
			texts, err = b.Texts()
		}
		if err != nil {
			return err
		}
		fn(texts)
		b.Done()
	}
}

// next returns the next batch, or io.EOF.
func (r *pass) next() (corpus.Batch, error) {
	for {
		if r.rd != nil {
			b := r.pool.Get().(*record.Batch)
			err := r.rd.Next(b)
			if err == nil {
				return &batch{Batch: b, data: r.data, part: r.at}, nil
			}
			if err != io.EOF {
				return nil, err
			}
		}
		for r.at++; r.at < r.end && len(r.parts[r.at].names) == 0; r.at++ {
		}
		if r.at >= r.end {
			return nil, io.EOF
		}
		opt := r.parts[r.at].opt
		if r.wanted != nil {
			before := 0
			if r.at == own {
				before = r.reference()
			}
			opt.Skip = func(ordinal int64) bool { return !r.wanted(before + int(ordinal)) }
		}
		if r.bare {
			opt.NoText, opt.Fields = true, nil
		}
		var err error
		if r.rd, err = record.NewReader(r.e.Input(r.parts[r.at].names), opt); err != nil {
			return nil, err
		}
	}
}

// A batch adapts a record.Batch to corpus.Batch.
type batch struct {
	*record.Batch
	data *data
	part int
}

// Texts returns the texts. A bad record has an empty text under -k; without -k it ends the run.
func (b *batch) Texts() ([][]byte, error) {
	b.Decode()
	texts := make([][]byte, len(b.Records))
	for i := range b.Records {
		rec := &b.Records[i]
		switch {
		case rec.Err == nil:
			texts[i] = rec.Text
		case !b.data.e.KeepGoing:
			return nil, rec.Err
		}
	}
	return texts, nil
}

// Done stores the findings of the first reading, in the order of the records.
func (b *batch) Done() {
	d := b.data
	if !d.known {
		if err := d.has.Note(b.Batch); err != nil && d.err == nil {
			d.err = d.e.Skip(err)
		}
		d.parts[b.part].records += len(b.Records)
		for i := range b.Records {
			rec := &b.Records[i]
			if rec.Err != nil {
				d.e.Warn(rec.Err) // under -k; otherwise Texts has ended the run
			}
			d.absent += rec.Absent
			if d.valued {
				d.value = append(d.value, d.values.Intern(rec.Value)) // a bad record gets the empty value
			}
			if err := d.name(rec); d.err == nil {
				d.err = err
			}
		}
	}
	d.e.Progress.Add(len(b.Records), b.Size())
	d.pool.Put(b.Batch)
}

// name stores the id of a record. A bad record has no id, and gets a unique one.
func (d *data) name(rec *record.Record) error {
	if !d.named {
		return nil
	}
	id := rec.ID
	if rec.Err != nil {
		id = fmt.Appendf(nil, "\x00%s\x00%d", rec.Name, rec.Line)
	}
	if err := ids.CheckWhole(id); err != nil {
		return rec.At(err)
	}
	if n := d.ids.Len(); int(d.ids.Intern(id)) != n {
		return rec.At(fmt.Errorf("duplicate id %q: a decision would apply to both records", id))
	}
	return nil
}

// settle ends the first reading, and returns its error.
func (d *data) settle() error {
	if !d.known {
		d.e.NoteAbsent(d.absent)
		d.err = cmp.Or(d.err, d.e.Skip(d.has.End()))
	}
	d.known = true
	return d.err
}
