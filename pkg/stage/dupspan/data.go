package dupspan

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"

	"doppel/pkg/line/ids"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// data provides all records as one corpus that can be read several times. Records are numbered from
// 0. The records of --against come first, so that their passages are the first copies.
type data struct {
	e       *tool.Env
	parts   [numParts]part
	wanted  func(number int) bool // reports whether the text of a record is needed; nil if all texts are needed
	known   bool                  // the first pass is finished, and ids and values are stored
	err     error                 // first error in the ids or the fields
	absent  int                   // number of text fields without a value
	missing int64                 // number of records, without those of --against, that --missing drop drops
	has     record.Presence       // detects that a path into arrays names a field that no record has
	ids     ids.Table             // ids, indexed by record number, if records have ids of their own
	named   bool                  // records have ids of their own; otherwise their numbers serve as ids
	valued  bool                  // records have values of --within or --across
	values  ids.Table             // distinct values of --within or --across
	value   []uint32              // for each record, the number of its value in the table values
	pool    sync.Pool
}

// Indexes of data.parts, and the number of parts.
const (
	theirs = iota // the files given by --against
	own           // the files given by --records
	numParts
)

// A part is a list of files that are read with the same options.
type part struct {
	names   []string
	opt     record.Options
	records int // number of records, counted in the first pass
}

// newData returns the data in the files given by --against and --records. The parameter old holds
// the options for reading the records of --against. The ids of these records contain the file name,
// and so differ from the ids of the other records.
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
func (d *data) open() (func() (corpus.Batch, error), error) {
	return d.pass(theirs, numParts).next, nil
}

// pass returns a pass over the parts n with from ≤ n < to.
func (d *data) pass(from, to int) *pass { return &pass{data: d, at: from - 1, end: to} }

// A pass reads the records of some parts once.
type pass struct {
	*data
	at, end int            // at: index of the current part; end: index after the last part
	bare    bool           // do not read texts
	rd      *record.Reader // reader of the current part; nil before the first
}

// each calls fn with the texts of every remaining batch.
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
			err := r.rd.Ahead(b)
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

// Texts returns the texts of the records. A record that --missing drop drops has an empty text, and
// so does a bad record with -k; without -k, its error is returned. Texts must be called once for each
// batch, beginning in input order; see record.Reader.Ahead.
func (b *batch) Texts() ([][]byte, error) {
	b.Decode()
	texts := make([][]byte, len(b.Records))
	for i := range b.Records {
		rec := &b.Records[i]
		switch {
		case rec.Err == nil:
			texts[i] = rec.Text
		case !b.data.e.KeepGoing && !errors.Is(rec.Err, record.ErrMissing):
			return nil, rec.Err
		}
	}
	if b.Cut != nil {
		return nil, b.Cut
	}
	return texts, nil
}

// Done releases the batch. In the first pass, it also stores the ids and values of the records.
// Done must be called for the batches in input order.
func (b *batch) Done() {
	d := b.data
	if !d.known {
		if err := d.has.Note(b.Batch); err != nil && d.err == nil {
			d.err = d.e.Skip(err)
		}
		d.parts[b.part].records += len(b.Records)
		for i := range b.Records {
			rec := &b.Records[i]
			if errors.Is(rec.Err, record.ErrMissing) {
				if b.part == own {
					d.missing++
				}
			} else if rec.Err != nil {
				d.e.Warn(rec.Err) // only with -k; otherwise Texts has returned the error
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

// name stores the id of a record. A bad record has no id and is given a unique one.
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

// endFirstReading must be called after the first pass. It returns the first error of that pass;
// later calls return the same error.
func (d *data) endFirstReading() error {
	if !d.known {
		d.e.NoteAbsent(d.absent)
		d.e.NoteMissing(d.missing)
		d.err = cmp.Or(d.err, d.e.Skip(d.has.End()))
	}
	d.known = true
	return d.err
}
