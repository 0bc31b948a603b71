package auditrun

import (
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/audit"
	"doppel/pkg/best"
	"doppel/pkg/record"
	"doppel/pkg/sample"
	"doppel/pkg/tool"
)

// estimate compares a sample of the kept records with all others of the output, and says
// which share of them has a duplicate that the run has missed.
func (a *run) estimate() (string, error) {
	drawn := best.List[int64]{Size: a.Sample, Compare: func(x, y int64) int { return cmp.Compare(best.Draw(0, x), best.Draw(0, y)) }}
	for n := range a.kept {
		if drawn.Takes(n) {
			drawn.Add(n)
		}
	}
	chosen := slices.Clone(drawn.All)
	slices.Sort(chosen)
	twins := &audit.Twins{Threshold: a.Threshold}
	if a.Of == "exact" {
		twins.Threshold = 1
	}
	opt := a.opt
	opt.Skip = func(n int64) bool { _, ok := slices.BinarySearch(chosen, n); return !ok }
	if err := a.eachSet(opt, twins, func(x one) { twins.Add(x.n, x.set, x.value) }); err != nil {
		return "", err
	}
	opt.Skip = nil
	err := a.eachSet(opt, twins, func(x one) {
		for _, i := range x.met {
			twins.Found[i] = true
		}
	})
	if err != nil {
		return "", err
	}
	missed := 0
	for _, found := range twins.Found {
		if found {
			missed++
		}
	}
	share := sample.Wilson(missed, len(twins.Found), sample.Confidence95)
	return fmt.Sprintf("; %d of %d kept records sampled are like another one: %.2f %% (95 %% interval %.2f to %.2f)",
		missed, len(twins.Found), 100*share.Value, 100*share.Low, 100*share.High), nil
}

// one is the set of a record of the output, or what it is like of the sample.
type one struct {
	n     int64
	set   []uint64
	value uint64 // of --across; 0 without
	met   []int32
}

// eachSet makes the sets of the output's records in parallel, and hands them to fn: those
// that are not skipped, or where none is skipped of each only its twins.
func (a *run) eachSet(opt record.Options, twins *audit.Twins, fn func(one)) error {
	rd, err := record.NewReader(a.e.Input(a.Outputs), opt)
	if err != nil {
		return err
	}
	newWork := func() func(*record.Batch) []one {
		w := audit.NewPrinter(a.how, a.seed)
		counts := make([]int32, len(twins.Found))
		var buf []uint64
		return func(b *record.Batch) (all []one) {
			for i := range b.Records {
				rec := &b.Records[i]
				if rec.Err != nil || b.Skipped(rec) {
					continue
				}
				var set []uint64
				if a.Of == "exact" {
					body, ends := a.compared(rec.Text, rec.Ends)
					set = w.Digest(buf[:0], body, ends)[:1]
				} else {
					set = w.Shingles(buf[:0], rec.Text)
				}
				if opt.Within != "" {
					w.Separate(set, rec.Value)
				}
				x := one{n: rec.Ordinal}
				if opt.Across != "" {
					x.value = w.Value(rec.Value)
				}
				if opt.Skip != nil {
					x.set = slices.Clone(set)
				} else {
					x.met = twins.Similar(nil, rec.Ordinal, set, x.value, counts)
				}
				all, buf = append(all, x), set
			}
			return all
		}
	}
	return tool.Batches(a.e, rd, newWork, func(_ *record.Batch, all []one) error {
		for _, x := range all {
			fn(x)
		}
		return nil
	})
}
