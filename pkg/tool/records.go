package tool

import (
	"cmp"
	"errors"
	"path/filepath"
	"sync"

	"doppel/pkg/line/dupid"
	"doppel/pkg/msg"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// An outcome is a batch and the result of the work on it, passed from a worker to the writer.
type outcome[R any] struct {
	batch  *record.Batch
	result R
}

// Batches reads records in batches, calls a work function for each batch in e.Jobs threads, and
// passes the results to emit in input order, whatever the number of threads. newWork is called for
// each thread, and again for each batch with duplicate ids (see OneID), to get a work function.
// Unreadable records have Err set. Without -k, the first unreadable record ends the run after the
// records before it have been emitted. With -k, every unreadable record is reported, and the work
// function and emit must skip it. A batch and its result must not be used after emit returns.
func Batches[R any](e *Env, rd *record.Reader, newWork func() func(*record.Batch) R, emit func(*record.Batch, R) error) error {
	s := newStream(e, rd, newWork)
	return s.end(par.Ordered(e.Jobs, s.read, s.worker, func(w outcome[R]) error {
		defer s.release(w.batch)
		return s.pass(&w, func(b *record.Batch, r R) error {
			err := emit(b, r)
			rd.Learn(b)
			return err
		})
	}))
}

// RawBatches is like Batches, but reports no unreadable records, and does not decode the records: the
// work function must call Batch.Load or Batch.Decode.
func RawBatches[R any](e *Env, rd *record.Reader, newWork func() func(*record.Batch) R, emit func(*record.Batch, R) error) error {
	s := newStream(e, rd, newWork)
	worker := func() func(*record.Batch) outcome[R] {
		work := newWork()
		return func(b *record.Batch) outcome[R] { return outcome[R]{b, work(b)} }
	}
	return par.Ordered(e.Jobs, s.read, worker, func(w outcome[R]) error {
		defer s.release(w.batch)
		err := cmp.Or(emit(w.batch, w.result), w.batch.Cut)
		e.Progress.Add(len(w.batch.Records), w.batch.Size())
		return err
	})
}

// Steps are the functions that SettleBatches calls. Work is as in Batches.
type Steps[R any] struct {
	Work   func() func(*record.Batch) R
	Begin  func(group []R) // called with the results of a group before they are settled
	Settle func(*record.Batch, R) error
	End    func() error                 // called after the results of a group have been settled
	Write  func(*record.Batch, R) error // called at the same time as Settle for later batches
}

// SettleBatches is like Batches, but has two ordered steps, which run at the same time: Settle and then
// Write. It settles the results that are ready as a group, so that Begin and End can divide their work
// with [par.Each]. If a batch has duplicate ids, Settle gets a result that Begin has not seen. If
// Settle fails, End is not called, and Write is called for the last time with the batch that failed. A
// batch and its result must not be used after Write returns.
func SettleBatches[R any](e *Env, rd *record.Reader, steps Steps[R]) error {
	s := newStream(e, rd, steps.Work)
	var results []R
	settle := func(group []outcome[R]) (settled int, err error) {
		results = results[:0]
		for _, w := range group {
			results = append(results, w.result)
		}
		steps.Begin(results)
		for i := range group {
			if err := s.pass(&group[i], steps.Settle); err != nil {
				return i + 1, err
			}
		}
		return len(group), steps.End()
	}
	return s.end(par.Settled(e.Jobs, s.read, s.worker, settle, func(w outcome[R]) error {
		defer s.release(w.batch)
		err := steps.Write(w.batch, w.result)
		rd.Learn(w.batch)
		return err
	}))
}

// A stream reads batches and passes them on.
type stream[R any] struct {
	e       *Env
	rd      *record.Reader
	newWork func() func(*record.Batch) R
	spares  par.Spares[record.Batch]
	held    *byteLimiter
	absent  int
	headed  bool // a row that equals the header has been reported
	present record.Presence
}

func newStream[R any](e *Env, rd *record.Reader, newWork func() func(*record.Batch) R) *stream[R] {
	return &stream[R]{e: e, rd: rd, newWork: newWork, spares: par.NewSpares[record.Batch](e.Jobs), held: newByteLimiter(heldBytes)}
}

// read reads the next batch.
func (s *stream[R]) read() (*record.Batch, error) {
	s.held.wait()
	b := s.spares.Get()
	err := s.rd.Ahead(b)
	s.held.add(b.Size())
	return b, err
}

// worker returns a function that decodes a batch and works on it.
func (s *stream[R]) worker() func(*record.Batch) outcome[R] {
	work := s.newWork()
	return func(b *record.Batch) outcome[R] {
		b.Decode()
		if !s.e.KeepGoing {
			b.CutAtError()
		}
		return outcome[R]{b, work(b)}
	}
}

// pass passes a batch and its result to emit, and reports the batch's unreadable records.
func (s *stream[R]) pass(w *outcome[R], emit func(*record.Batch, R) error) error {
	e := s.e
	if e.markIDs(w.batch) {
		w.result = s.newWork()(w.batch) // repeat the work, which now skips the marked records
	}
	if !e.Reported { // no earlier stage has read these inputs
		e.Places.Note(w.batch)
		if err := e.Skip(s.present.Note(w.batch)); err != nil {
			return err
		}
	}
	err := emit(w.batch, w.result)
	if err == nil {
		err = w.batch.Cut
	}
	// If emit failed, eachRecord has removed the records after the failing one, so their errors
	// are not reported.
	for i := range w.batch.Records {
		s.absent += w.batch.Records[i].Absent
		if rec := &w.batch.Records[i]; rec.Header && !s.headed && !e.Reported {
			s.headed = true
			e.Note("%s:%d: the row equals the header: were tables joined by cat?", rec.Name, rec.Line)
		}
		if bad := e.skipRecord(w.batch.Records[i].Err); bad != nil && err == nil {
			err = bad
			break
		}
	}
	e.Progress.Add(len(w.batch.Records), w.batch.Size())
	return err
}

// release makes a batch available to read again.
func (s *stream[R]) release(b *record.Batch) {
	s.held.add(-b.Size())
	b.Shrink()
	s.spares.Put(b)
}

// end prints the notes about all records, unless the run has failed with err.
func (s *stream[R]) end(err error) error {
	if err != nil || s.e.Reported {
		return err
	}
	if err = s.e.Skip(s.present.End()); err == nil {
		for _, note := range s.rd.Notes() {
			s.e.Note("%s", note)
		}
		s.e.NoteAbsent(s.absent)
		s.e.NoteMissing(s.e.missing)
	}
	return err
}

// NoteAbsent prints a note that n values of the text fields were left out because, within an array,
// they were missing or null. It prints nothing if n is 0.
func (e *Env) NoteAbsent(n int) {
	if n > 0 {
		e.Note("%s in arrays %s missing or null, and left out of the texts", msg.Number(n, "value"), msg.Are(n))
	}
}

// NoteMissing prints a note that n records were dropped because a field of their text is missing.
// It prints nothing if n is 0.
func (e *Env) NoteMissing(n int64) {
	if n > 0 {
		e.Note("%s without a text dropped, as --missing drop says", msg.Number(int(n), "record"))
	}
}

// idMemory is the maximum size of the table of ids, in bytes. It is enough for about six million
// ids.
const idMemory = 200 << 20

// OneID turns on a check for duplicate ids: a record with the id of an earlier record is treated as
// a bad record. OneID has an effect only if ids can repeat: with --id, or with -H if a file is
// named twice. OneID is for tools whose output identifies records only by id.
func (e *Env) OneID(operands []string) {
	distinct := map[string]bool{}
	for _, name := range operands {
		distinct[filepath.Clean(name)] = true
	}
	if e.Records.ID != "" || e.Records.WithFilename && len(distinct) < len(operands) {
		e.places = dupid.NewTable(idMemory)
	}
}

// markIDs sets the error of each record whose id is a duplicate, and reports whether there are any.
// Without -k, it cuts the batch before the first record with an error.
func (e *Env) markIDs(b *record.Batch) (marked bool) {
	if e.places == nil {
		return false
	}
	skip := e.Records.Skip
	for i := range b.Records {
		// A record for which skip returns true has no id.
		if rec := &b.Records[i]; rec.Err == nil && (skip == nil || !skip(rec.Ordinal)) {
			rec.Err = e.places.Note(rec)
			marked = marked || rec.Err != nil
		}
	}
	if marked && !e.KeepGoing {
		b.CutAtError()
	}
	if e.places.Full() && !e.reportedFull {
		e.reportedFull = true
		e.Note("duplicate ids are detected only among the first %d ids", e.places.Len())
	}
	return marked
}

// skipRecord is like Skip, but counts the record as unread, and does not repeat an error that an
// earlier stage has reported.
func (e *Env) skipRecord(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, record.ErrMissing) {
		e.missing++
		return nil
	}
	e.unread++
	if e.Reported && e.KeepGoing {
		e.Trouble()
		return nil
	}
	return e.Skip(err)
}

// Unread returns the number of records that could not be read.
func (e *Env) Unread() int64 { return e.unread }

// Missing returns the number of records that were dropped because a field of their text is missing.
func (e *Env) Missing() int64 { return e.missing }

// MapRecords calls a function for each record, in parallel. The function appends its output to dst,
// and MapRecords writes the outputs to e.Out, in input order. newFunc is called at least once per
// thread, to get the function. A record for which the function returns an error is treated as a bad
// record.
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

// EachRecord decodes records in parallel and calls fn for each readable record, one at a time, in
// input order. If fn returns an error, the run ends. If e.OnMissing is set, EachRecord calls it
// instead of fn for each record that --missing drop drops.
func EachRecord(e *Env, rd *record.Reader, fn func(*record.Record) error) error {
	return eachRecord(e, rd, fn, func() error { return nil })
}

// eachRecord is like EachRecord, and calls flush after each batch. If fn returns an error, the
// records after the failing one are dropped from the batch.
func eachRecord(e *Env, rd *record.Reader, fn func(*record.Record) error, flush func() error) error {
	idle := func() func(*record.Batch) struct{} {
		return func(*record.Batch) struct{} { return struct{}{} }
	}
	return Batches(e, rd, idle, func(b *record.Batch, _ struct{}) error {
		var err error
		for i := 0; i < len(b.Records) && err == nil; i++ {
			rec, do := &b.Records[i], fn
			if rec.Err != nil {
				if do = e.OnMissing; do == nil || !errors.Is(rec.Err, record.ErrMissing) {
					continue
				}
			}
			if err = do(rec); err != nil {
				b.Records = b.Records[:i+1]
			}
		}
		return cmp.Or(err, flush())
	})
}

// KeepRecords is like EachRecord, but its function selects records: if keep returns true,
// KeepRecords writes the record to sink.
func KeepRecords(e *Env, rd *record.Reader, sink *write.Sink, keep func(*record.Record) (bool, error)) error {
	return eachRecord(e, rd, func(rec *record.Record) error {
		ok, err := keep(rec)
		if err == nil && ok {
			err = sink.Gather(rec)
		}
		return err
	}, sink.Flush)
}

// heldBytes is the limit for the total size of the batches between reader and writer: above it, no
// further batch is read. Batches of the usual size, a quarter of a megabyte, stay below the limit.
// Without the limit, every thread and every queue slot could hold a very long record.
const heldBytes = 64 << 20

// A byteLimiter makes the reader wait while the batches in use have more bytes than the limit.
type byteLimiter struct {
	mu    sync.Mutex
	less  sync.Cond
	bytes int64
	most  int64
}

func newByteLimiter(most int64) *byteLimiter {
	u := &byteLimiter{most: most}
	u.less.L = &u.mu
	return u
}

// wait blocks until at most u.most bytes are in use.
func (u *byteLimiter) wait() {
	u.mu.Lock()
	for u.bytes > u.most {
		u.less.Wait()
	}
	u.mu.Unlock()
}

// add adds n, which may be negative, to the number of bytes in use.
func (u *byteLimiter) add(n int64) {
	u.mu.Lock()
	u.bytes += n
	u.mu.Unlock()
	u.less.Signal()
}

// Sink returns a sink for records of rd. The format is given by --to or by the name of the output.
// If neither gives a format, it is the second argument or, if that is zero, the format of the input.
// Sink must be called before anything is written.
func (e *Env) Sink(rd *record.Reader, usual dataform.Kind) (*write.Sink, error) {
	form, err := e.form(usual)
	if err != nil {
		return nil, err
	}
	if e.Directory() {
		return write.NewEach(rd, form, e.Sizes, e.openShard), nil
	}
	if err := e.open(form.Packing); err != nil {
		return nil, err
	}
	return write.New(rd, e.Out, form, e.Sizes), nil
}

// form returns the form of the output. If -o names a directory, the outputs keep the formats of
// their inputs unless --to is given.
func (e *Env) form(usual dataform.Kind) (form dataform.Form, err error) {
	if !e.Directory() {
		return e.OutputForm(e.OutputName, usual)
	}
	if form, err = dataform.Of("", e.To); err != nil {
		return form, UsageError("%v", err)
	}
	form.Codec, form.Level, form.Jobs = e.Codec, e.Level, e.Jobs
	return form, nil
}

// Preflight returns the format of the inputs, as a value of dataform.Form.Kind, or the error that
// copying them to the output would cause. It reads at most the first batch of each input.
func (e *Env) Preflight(names []string) (kind dataform.Kind, err error) {
	form, err := e.form(dataform.Kind{})
	if err != nil {
		return kind, err
	}
	sizes := e.Sizes
	if e.KeepGoing {
		sizes = nil // with -k, records to which the size field cannot be added are skipped
	}
	return write.Preflight(e.Input(names), e.Records, form, sizes, !e.Directory())
}
