package lineio

import (
	"bytes"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A Worker converts a batch of signatures to a result of the type R. Each goroutine has its own
// Worker.
type Worker[R any] interface {
	// Take adds a signature to *batch, the result for the batch, which is a zero R before the first
	// signature is added. The signature is valid until Take returns.
	Take(batch *R, s line.Signature) error
}

// A Finisher is a Worker that Signatures also tells when a result is complete, before it passes the
// result to emit.
type Finisher[R any] interface{ Finish(batch *R) }

// finish tells a worker that a result is complete, if the worker is a Finisher.
func finish[R any](w Worker[R], batch *R) {
	if f, ok := w.(Finisher[R]); ok {
		f.Finish(batch)
	}
}

// Signing is a stage that passes its signatures to the next stage as values, not as lines.
type Signing interface {
	// Sign passes the scheme to the function check, and then signs all records. Each goroutine
	// passes the signatures of a batch to its own Taker. Sign passes the results of the Takers to
	// the function emit, in input order.
	Sign(check func(scheme string) error, newTaker func() Taker, emit func(made any) error) error
}

// A Taker converts batches of signatures to results.
type Taker interface {
	// Take adds a signature, which is valid until Take returns.
	Take(s line.Signature) error
	// Made returns the result for the signatures added since the last call of Made.
	Made() any
}

// A taker adapts a Worker to the interface Taker.
type taker[R any] struct {
	Worker[R]
	made *R
}

func (t *taker[R]) Take(s line.Signature) error { return t.Worker.Take(t.made, s) }

func (t *taker[R]) Made() any {
	made := t.made
	finish(t.Worker, made)
	t.made = new(R)
	return made
}

// Signatures reads the signatures in the named files or, if there are no names, from the previous
// stage or standard input. Parallel workers make a result from each batch of signatures, and emit
// is called with the results in input order. If the guard rejects a scheme because an earlier
// signature has another scheme, Signatures returns an error with both schemes and their positions.
func Signatures[R any](e *tool.Env, guard *schemes.Guard, names []string, newWorker func() Worker[R], emit func(*R) error) error {
	if signing, ok := e.Upstream.(Signing); ok && len(names) == 0 {
		check := func(scheme string) error { return guard.Check([]byte(scheme), "<stdin>", 1) }
		newTaker := func() Taker { return &taker[R]{newWorker(), new(R)} }
		return signing.Sign(check, newTaker, func(made any) error { return emit(made.(*R)) })
	}
	rd, err := Open(e, names)
	if err != nil {
		return err
	}
	newWork := func() func(*record.Batch) schemeBatch[R] {
		w := newWorker()
		return func(b *record.Batch) schemeBatch[R] {
			g := schemeBatch[R]{made: new(R)}
			for i := range b.Records {
				var s line.Signature
				err := s.Parse(b.Records[i].Raw)
				if err == nil && bytes.IndexByte(s.Scheme, '/') < 0 {
					err = Refuse(b.Records[i].Raw, "signatures", "decisions", "groups", "matches", "scored pairs", "hashes of files")
				}
				if err == nil {
					if n := len(g.schemes); n == 0 || g.schemes[n-1].scheme != string(s.Scheme) {
						g.schemes = append(g.schemes, place{string(s.Scheme), b.Records[i].Line})
					}
					err = w.Take(g.made, s)
				}
				if err == nil {
					continue
				}
				if b.Fail(i, withSource(err)); !e.KeepGoing {
					b.CutAtError()
					break
				}
			}
			finish(w, g.made)
			return g
		}
	}
	return tool.Batches(e, rd, newWork, func(b *record.Batch, g schemeBatch[R]) error {
		for _, s := range g.schemes {
			if err := guard.Check([]byte(s.scheme), b.Name(), s.line); err != nil {
				return err
			}
		}
		return emit(g.made)
	})
}

// A schemeBatch holds the result for a batch and the schemes of its signatures.
type schemeBatch[R any] struct {
	made    *R
	schemes []place
}

// A place is the line at which a series of signatures with the same scheme begins.
type place struct {
	scheme string
	line   int64
}
