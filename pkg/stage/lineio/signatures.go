package lineio

import (
	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A Worker makes an R from the signatures of a batch. Each thread has its own.
type Worker[R any] interface {
	// Take adds a signature to the R of its batch, which starts as the zero value. The
	// signature is valid until Take returns.
	Take(batch *R, s line.Signature) error
}

// Signing is a stage that passes its signatures to Signatures as values.
type Signing interface {
	// Sign signs all records, after check has accepted the scheme. Each thread passes the
	// signatures of a batch to its own taker; the result goes to emit, in input order.
	Sign(check func(scheme string) error, newTaker func() Taker, emit func(made any) error) error
}

// A Taker takes the signatures of batches.
type Taker interface {
	Take(s line.Signature) error
	// Made returns the result for the signatures since the last call.
	Made() any
}

// A taker turns a Worker into a Taker.
type taker[R any] struct {
	Worker[R]
	made *R
}

func (t *taker[R]) Take(s line.Signature) error { return t.Worker.Take(t.made, s) }

func (t *taker[R]) Made() any {
	made := t.made
	t.made = new(R)
	return made
}

// Signatures reads signatures, makes an R from each batch with parallel workers, and passes the
// Rs to emit in input order. The guard accepts one scheme, whatever the number of threads: a
// second one is an error that names both and their positions.
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

// A schemeBatch holds the result for a batch, and its schemes with the lines where they begin.
type schemeBatch[R any] struct {
	made    *R
	schemes []place
}

type place struct {
	scheme string
	line   int64
}
