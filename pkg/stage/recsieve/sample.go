package recsieve

import (
	"cmp"
	"io"
	"os"

	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool"
)

// The chain of stages of doppel fuzzy reads its input three times, whereas recsieve reads it once.
// Therefore recsieve is faster if reading is expensive, as with compressed files, or if many
// records are dropped. On plain files with few drops, the chain is as fast and takes less memory.
//
// For plain files, BeatsChain chooses recsieve if they have less than 1 MiB in total (smallest), or
// if at least 10 % of the records in a sample are dropped (dense). The sample consists of the first
// bytes of the input: one 64th of all bytes, but at least 1 MiB and at most 16 MiB (largest). A
// record is dropped only if a similar record precedes it. So if similar records are spread evenly
// over the input, few of the first records are dropped, and the share of drops grows as more is
// read. Therefore BeatsChain also extrapolates the growth of the share in the sample to the whole
// input, and chooses recsieve if the result is at least 2 (scattered).
const (
	smallest, largest = 1 << 20, 16 << 20
	dense, scattered  = 0.1, 2
)

// BeatsChain estimates whether a run over these files is faster than the chain. It considers the
// names and sizes of the files, and the share of drops in their first bytes.
func (o *Options) BeatsChain(e *tool.Env, files []string) (bool, error) {
	size := int64(0)
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			return false, err
		}
		if dataform.PackingOf(name) != "" || dataform.KindOf(name).Columns {
			return true, nil
		}
		if size += info.Size(); info.IsDir() {
			size += 1 << 30 // a guess: the total size of a directory's files is unknown
		}
	}
	if size < smallest {
		return true, nil
	}
	probed := min(max(size/64, smallest), largest)
	less, err := o.SampleDrops(e, files, probed/4)
	if err != nil {
		return false, err
	}
	share, err := o.SampleDrops(e, files, probed)
	return share >= dense || (share-less)/(.75*float64(probed))*float64(size) >= scattered, err
}

// SampleDrops returns the share, from 0 to 1, of records at the beginning of the operands that Run
// would drop. It reads the given number of bytes, or slightly more to complete a batch of records,
// or the whole input if that is shorter. It writes nothing and skips bad records. The operands must
// be files, because they will be read again.
func (o *Options) SampleDrops(e *tool.Env, operands []string, bytes int64) (share float64, err error) {
	r, err := o.newRun(e)
	if err != nil {
		return 0, err
	}
	defer r.store.close()
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
			return look{b, r.compareBatch(w, b)}
		}
	}
	err = par.Ordered(e.Jobs, next, newWork, func(l look) error {
		return cmp.Or(r.decideBatch(l.records, l.found), r.store.flush())
	})
	return float64(r.dropped) / float64(max(1, r.kept+r.dropped)), err
}
