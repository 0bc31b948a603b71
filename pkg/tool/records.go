package tool

import (
	"cmp"
	"path/filepath"
	"sync"

	"doppel/pkg/line/places"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
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
	absent, present := 0, record.Presence{}
	err := par.Ordered(e.Jobs, next, worker, func(w outcome[R]) error {
		if e.markIDs(w.batch) {
			w.result = newWork()(w.batch) // which passes over what is marked
		}
		if !e.Reported { // the first reading
			e.Places.Note(w.batch)
			if err := e.Skip(present.Note(w.batch)); err != nil {
				return err
			}
		}
		err := emit(w.batch, w.result)
		if err == nil {
			err = w.batch.Cut
		}
		for i := range w.batch.Records { // those before the one at which emit failed, too
			absent += w.batch.Records[i].Absent
			if bad := e.bad(w.batch.Records[i].Err); bad != nil && err == nil {
				err = bad
				break
			}
		}
		e.Progress.Add(len(w.batch.Records), w.batch.Size())
		held.add(-w.batch.Size())
		w.batch.Shrink()
		spares.Put(w.batch)
		return err
	})
	if err == nil && !e.Reported {
		if err = e.Skip(present.End()); err == nil {
			e.NoteAbsent(absent)
		}
	}
	return err
}

// NoteAbsent notes how many values of the fields were missing or null in arrays.
func (e *Env) NoteAbsent(n int) {
	if n > 0 {
		e.Note("%s missing or null in arrays, and left out of the texts", wording.Number(n, "value"))
	}
}

// idMemory bounds the table of ids: six million of them.
const idMemory = 200 << 20

// OneID makes an id that two records have the error of the second one, where that
// can be: ids are fields, or are of a file that is read twice. It is for tools whose
// output knows records by nothing else.
func (e *Env) OneID(operands []string) {
	distinct := map[string]bool{}
	for _, name := range operands {
		distinct[filepath.Clean(name)] = true
	}
	if e.Records.ID != "" || e.Records.WithFilename && len(distinct) < len(operands) {
		e.places = places.NewTable(idMemory)
	}
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
	if e.places.Full() && !e.toldFull {
		e.toldFull = true
		e.Note("two records of one id are noticed among the first %d ids, and not among those behind them", e.places.Len())
	}
	return marked
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
			*buf = (*buf)[:0]
			for i := range b.Records {
				rec := &b.Records[i]
				if rec.Err != nil {
					continue
				}
				*buf, rec.Err = fn(*buf, rec)
				if rec.Err != nil && !e.KeepGoing {
					b.CutAtError()
					break
				}
			}
			return buf
		}
	}
	return Batches(e, rd, newWork, func(b *record.Batch, buf *[]byte) error {
		_, err := e.Out.Write(*buf)
		buffers.Put(buf)
		return err
	})
}

// EachRecord decodes records in parallel and hands them to fn one at a time
// in input order.
func EachRecord(e *Env, rd *record.Reader, fn func(*record.Record) error) error {
	return eachRecord(e, rd, fn, func() error { return nil })
}

// eachRecord calls fn with the records that could be read, and flush after each batch. Where
// fn fails, the batch ends with that record.
func eachRecord(e *Env, rd *record.Reader, fn func(*record.Record) error, flush func() error) error {
	idle := func() func(*record.Batch) struct{} {
		return func(*record.Batch) struct{} { return struct{}{} }
	}
	return Batches(e, rd, idle, func(b *record.Batch, _ struct{}) error {
		var err error
		for i := 0; i < len(b.Records) && err == nil; i++ {
			if b.Records[i].Err != nil {
				continue
			}
			if err = fn(&b.Records[i]); err != nil {
				b.Records = b.Records[:i+1]
			}
		}
		return cmp.Or(err, flush())
	})
}

// KeepRecords is EachRecord for a function that decides which records the sink
// keeps.
func KeepRecords(e *Env, rd *record.Reader, sink *record.Sink, keep func(*record.Record) (bool, error)) error {
	return eachRecord(e, rd, func(rec *record.Record) error {
		ok, err := keep(rec)
		if err == nil && ok {
			err = sink.Gather(rec)
		}
		return err
	}, sink.Flush)
}

// heldBytes is how much may be between the reader and the writer before a further
// batch is read. Batches of a quarter of a megabyte do not reach it; of long records
// it keeps as many from being held as there are threads and places to wait.
const heldBytes = 64 << 20

// A gauge counts the bytes of the batches that were read and are not done with.
type gauge struct {
	mu    sync.Mutex
	less  sync.Cond
	bytes int64
	most  int64
}

func newGauge(most int64) *gauge {
	u := &gauge{most: most}
	u.less.L = &u.mu
	return u
}

// wait returns when no more than most are under way.
func (u *gauge) wait() {
	u.mu.Lock()
	for u.bytes > u.most {
		u.less.Wait()
	}
	u.mu.Unlock()
}

// add counts the bytes of a batch, or takes them away.
func (u *gauge) add(n int64) {
	u.mu.Lock()
	u.bytes += n
	u.mu.Unlock()
	u.less.Signal()
}

// Sink returns what writes records of rd to the output, in the form that the name
// of the output or --to says; where neither says any, as they came, or in the
// form that is usual. It is called before anything is written.
func (e *Env) Sink(rd *record.Reader, usual string) (*record.Sink, error) {
	form, err := e.form(usual)
	if err != nil {
		return nil, err
	}
	if e.Directory() {
		return record.NewSinks(rd, form, e.openShard), nil
	}
	if err := e.open(form.Packing); err != nil {
		return nil, err
	}
	return record.NewSink(rd, e.Out, form), nil
}

// form returns the form of the output, or of all outputs in a directory: as the records came,
// unless --to says.
func (e *Env) form(usual string) (form dataform.Form, err error) {
	if !e.Directory() {
		return formOf(&e.Common, e.OutputName, usual)
	}
	if form, err = dataform.Of("", e.To); err != nil {
		return form, UsageError("%v", err)
	}
	form.Codec, form.Level, form.Jobs = e.Codec, e.Level, e.Jobs
	return form, nil
}

// formOf returns the form of an output of that name.
func formOf(c *flags.Common, name, usual string) (dataform.Form, error) {
	form, err := dataform.Of(name, c.To)
	if err != nil {
		return form, UsageError("%v", err)
	}
	if form.Kind == "" {
		form.Kind = usual
	}
	form.Codec, form.Level, form.Jobs = c.Codec, c.Level, c.Jobs
	if form.Kind == "parquet" && form.Level > 0 && form.Codec == "" {
		return form, UsageError("--level of Parquet needs --codec zstd")
	}
	if err := form.Check(); err != nil {
		return form, UsageError("%v", err)
	}
	return form, nil
}

// Foresee returns the kind of the inputs, or an error that a run meets that reads them and
// writes them to the output. It reads no records.
func (e *Env) Foresee(names []string) (kind string, err error) {
	form, err := e.form("")
	if err != nil {
		return "", err
	}
	opt := e.Records
	if e.KeepGoing {
		opt.Sizes = nil // what cannot get a field is left out
	}
	return record.Foresee(e.Input(names), opt, form, !e.Directory())
}
