// Package stages holds what stages of the chain share beyond the runner: the
// flags of texts, bands and pairs, and the reading of signatures. It stands apart
// from pkg/tool for the weight of the hashes that it links.
package stages

import (
	"doppel/pkg/record"
	"doppel/pkg/signature"
	"doppel/pkg/tool"
)

// guarded is what a batch of signatures gave, and the schemes in it.
type guarded[R any] struct {
	value   *R
	schemes []seen
}

type seen struct {
	scheme string
	line   int64
}

// Signatures reads signature lines and runs a function on each of them, in
// parallel; the function adds to an R that is new for each batch. The Rs are
// handed to emit in input order. Guard lets one scheme through, whatever the
// number of threads: two are an error that names both and where they stand.
func Signatures[R any](e *tool.Env, guard *signature.Guard, names []string, newFunc func() func(*R, signature.Line) error, emit func(*R) error) error {
	rd, err := record.NewReader(e.Input(names), record.Options{Lines: true})
	if err != nil {
		return err
	}
	newWork := func() func(*record.Batch) guarded[R] {
		fn := newFunc()
		return func(b *record.Batch) guarded[R] { return signedBatch(e, b, fn) }
	}
	return tool.Batches(e, rd, newWork, func(b *record.Batch, g guarded[R]) error {
		for _, s := range g.schemes {
			if err := guard.Check([]byte(s.scheme), b.Name(), s.line); err != nil {
				return err
			}
		}
		return emit(g.value)
	})
}

func signedBatch[R any](e *tool.Env, b *record.Batch, fn func(*R, signature.Line) error) guarded[R] {
	g := guarded[R]{value: new(R)}
	for i := range b.Records {
		rec := &b.Records[i]
		line, err := signature.Parse(rec.Raw)
		if err == nil {
			if n := len(g.schemes); n == 0 || g.schemes[n-1].scheme != string(line.Scheme) {
				g.schemes = append(g.schemes, seen{string(line.Scheme), rec.Line})
			}
			err = fn(g.value, line)
		}
		if err != nil {
			if b.Fail(i, err); !e.KeepGoing {
				b.CutAtError()
				break
			}
		}
	}
	return g
}
