package recsieve

import (
	"io"

	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// SampleDrops returns the share of the records in about the first so many bytes of the
// operands that a run would drop. It writes nothing, and passes over bad records. The
// operands are files, which can be read again.
func (o *Options) SampleDrops(e *tool.Env, operands []string, bytes int64) (share float64, err error) {
	r, err := o.newRun(e)
	if err != nil {
		return 0, err
	}
	defer r.store.close()
	r.keep = func(*record.Record) error { return nil }
	rd, err := record.NewReader(record.Input{Names: operands}, e.Records)
	if err != nil {
		return 0, err
	}
	type look struct {
		records *record.Batch
		found   *batch
	}
	next := func() (*record.Batch, error) {
		if bytes <= 0 {
			return nil, io.EOF
		}
		b := new(record.Batch)
		err := rd.Next(b)
		bytes -= b.Size()
		return b, err
	}
	newWork := func() func(*record.Batch) look {
		w := r.sieve.NewWorker()
		return func(b *record.Batch) look {
			b.Decode()
			return look{b, r.look(w, b)}
		}
	}
	err = par.Ordered(e.Jobs, next, newWork, func(l look) error { return r.decideBatch(l.records, l.found) })
	return float64(r.dropped) / float64(max(1, r.kept+r.dropped)), err
}
