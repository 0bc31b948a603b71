package tool

import (
	"path/filepath"

	"doppel/pkg/line/places"
	"doppel/pkg/par"
	"doppel/pkg/record"
)

// outcome is a batch on its way from a worker to the writer.
type outcome[R any] struct {
	batch  *record.Batch
	result R
}

// Batches reads records, runs work on batches of them in e.Jobs threads, and
// hands the results to emit in input order, whatever the number of threads.
// newWork is called once a thread. Records that could not be read have Err
// set: without -k the first one ends the run, after the records before it
// were emitted; under -k each is reported, and emit and work pass over it.
// A batch and its result may be kept only until emit returns.
func Batches[R any](e *Env, rd *record.Reader, newWork func() func(*record.Batch) R, emit func(*record.Batch, R) error) error {
	spares := par.NewSpares[record.Batch](e.Jobs)
	held := newGauge(heldBytes)
	next := func() (*record.Batch, error) {
		held.wait()
		b := spares.Get()
		err := rd.Next(b)
		held.add(b.Size())
		return b, err
	}
	worker := func() func(*record.Batch) outcome[R] {
		work := newWork()
		return func(b *record.Batch) outcome[R] {
			b.Decode()
			if !e.KeepGoing {
				b.CutAtError()
			}
			return outcome[R]{b, work(b)}
		}
	}
	return par.Ordered(e.Jobs, next, worker, func(w outcome[R]) error {
		if e.markIDs(w.batch) {
			w.result = newWork()(w.batch) // which passes over what is marked
		}
		if !e.Reported { // the first reading
			e.Places.Note(w.batch)
		}
		err := e.settleBatch(w.batch, func() error { return emit(w.batch, w.result) })
		e.Progress.Add(len(w.batch.Records), w.batch.Size())
		held.add(-w.batch.Size())
		w.batch.Shrink()
		spares.Put(w.batch)
		return err
	})
}

// idMemory bounds the table of ids: six million of them.
const idMemory = 200 << 20

// OneID makes an id that two records have the error of the second one, where that
// can be: ids are fields, or are of a file that is read twice. It is for tools whose
// output knows records by nothing else.
func (e *Env) OneID(operands []string) {
	if e.Records.ID != "" || e.Records.WithFilename && repeats(operands) {
		e.places = places.NewTable(idMemory)
	}
}

// repeats reports whether two operands name one file.
func repeats(operands []string) bool {
	clean := map[string]bool{}
	for _, name := range operands {
		clean[filepath.Clean(name)] = true
	}
	return len(clean) < len(operands)
}

// markIDs sets the errors of records whose ids came before, and reports whether
// there are any. Without -k the first of them ends the batch.
func (e *Env) markIDs(b *record.Batch) (marked bool) {
	if e.places == nil {
		return false
	}
	skip := e.Records.Skip
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Err == nil && (skip == nil || !skip(rec.Ordinal)) { // what is skipped has no id
			rec.Err = e.places.Note(rec)
			marked = marked || rec.Err != nil
		}
	}
	if marked && !e.KeepGoing {
		b.CutAtError()
	}
	e.tellFull()
	return marked
}

// tellFull says once that ids are compared with those only that the table has room for.
func (e *Env) tellFull() {
	if !e.places.Full() || e.toldFull {
		return
	}
	e.toldFull = true
	e.Note("two records of one id are noticed among the first %d ids, and not among those behind them", e.places.Len())
}

// settleBatch emits a batch and applies the policy of -k to its bad records, and to
// those before the one at which emitting ended.
func (e *Env) settleBatch(b *record.Batch, emit func() error) error {
	err := emit()
	if err == nil && b.Cut != nil {
		return b.Cut
	}
	for i := range b.Records {
		if bad := e.bad(b.Records[i].Err); bad != nil && err == nil {
			return bad
		}
	}
	return err
}

// bad is Skip for the error of a record, which a stage before may have told of.
func (e *Env) bad(err error) error {
	if err == nil {
		return nil
	}
	e.unread++
	if e.Reported && e.KeepGoing {
		e.Trouble()
		return nil
	}
	return e.Skip(err)
}

// Unread returns how many records could not be read.
func (e *Env) Unread() int64 { return e.unread }

// MapRecords runs a function over all records in parallel and writes what it
// appends to dst to e.Out, in input order. The function may set an error for
// its record, which is treated as a bad record is.
func MapRecords(e *Env, rd *record.Reader, newFunc func() func(dst []byte, rec *record.Record) ([]byte, error)) error {
	buffers := par.NewSpares[[]byte](e.Jobs)
	newWork := func() func(*record.Batch) *[]byte {
		fn := newFunc()
		return func(b *record.Batch) *[]byte {
			buf := buffers.Get()
			*buf = appendAll((*buf)[:0], b, fn, e.KeepGoing)
			return buf
		}
	}
	return Batches(e, rd, newWork, func(b *record.Batch, buf *[]byte) error {
		_, err := e.Out.Write(*buf)
		buffers.Put(buf)
		return err
	})
}

func appendAll(dst []byte, b *record.Batch, fn func([]byte, *record.Record) ([]byte, error), keepGoing bool) []byte {
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err != nil {
			continue
		}
		dst, rec.Err = fn(dst, rec)
		if rec.Err != nil && !keepGoing {
			b.CutAtError()
			return dst
		}
	}
	return dst
}

// EachRecord decodes records in parallel and hands them to fn one at a time
// in input order.
func EachRecord(e *Env, rd *record.Reader, fn func(*record.Record) error) error {
	return eachBatch(e, rd, func(b *record.Batch) error { return eachGood(b, fn) })
}

func eachBatch(e *Env, rd *record.Reader, fn func(*record.Batch) error) error {
	idle := func() func(*record.Batch) struct{} {
		return func(*record.Batch) struct{} { return struct{}{} }
	}
	return Batches(e, rd, idle, func(b *record.Batch, _ struct{}) error { return fn(b) })
}

// eachGood calls fn with the records that could be read. Where it fails, the batch ends
// with the record at which it did.
func eachGood(b *record.Batch, fn func(*record.Record) error) error {
	for i := range b.Records {
		if b.Records[i].Err != nil {
			continue
		}
		if err := fn(&b.Records[i]); err != nil {
			b.Records = b.Records[:i+1]
			return err
		}
	}
	return nil
}

// KeepRecords is EachRecord for a function that decides which records the sink
// keeps.
func KeepRecords(e *Env, rd *record.Reader, sink *record.Sink, keep func(*record.Record) (bool, error)) error {
	return eachBatch(e, rd, func(b *record.Batch) error {
		err := eachGood(b, func(rec *record.Record) error {
			ok, err := keep(rec)
			if err == nil && ok {
				err = sink.Gather(rec)
			}
			return err
		})
		if ferr := sink.Flush(); err == nil {
			err = ferr
		}
		return err
	})
}
