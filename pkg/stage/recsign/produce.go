package recsign

import (
	"errors"

	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// Produce returns a lineio.Signing that passes the signatures to the next stage as values, not as
// lines. It returns nil with --verbose, which applies only to Run.
func (o *Options) Produce(e *tool.Env, operands []string) any {
	if o.Verbose {
		return nil
	}
	return &signing{o, e, operands}
}

// A signing is a run that passes its signatures to the next stage as values, not as lines. It
// implements lineio.Signing.
type signing struct {
	opt      *Options
	e        *tool.Env
	operands []string
}

// Sign signs all records and passes the results of the takers to emit.
func (s *signing) Sign(check func(scheme string) error, newTaker func() lineio.Taker, emit func(made any) error) error {
	if err := s.e.Begin(s.opt, s.operands); err != nil {
		return err
	}
	return s.e.End(s.sign(check, newTaker, emit))
}

func (s *signing) sign(check func(scheme string) error, newTaker func() lineio.Taker, emit func(made any) error) error {
	scheme, rd, err := s.opt.openRun(s.e, s.operands)
	if err == nil {
		err = check(scheme.String())
	}
	if err != nil {
		return err
	}
	newWork := func() func(*record.Batch) any {
		signer, to := s.opt.newSigner(s.e, scheme), newTaker()
		signer.sketcher, _ = signer.Signer.(sketcher)
		signer.take = to.Take
		return func(b *record.Batch) any {
			for i := range b.Records {
				rec := &b.Records[i]
				if rec.Err == nil {
					rec.Err = signer.signRecord(rec)
				}
				if rec.Err != nil && !errors.Is(rec.Err, record.ErrMissing) && !s.e.KeepGoing {
					b.CutAtError()
					break
				}
			}
			return to.Made()
		}
	}
	return tool.HintNames(tool.Batches(s.e, rd, newWork, func(_ *record.Batch, made any) error { return emit(made) }))
}
