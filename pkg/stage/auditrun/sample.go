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
	err := a.eachSet(opt, func(*audit.Printer) func(int64, []uint64) []int32 {
		return func(int64, []uint64) []int32 { return nil }
	}, func(n int64, set []uint64, _ []int32) { twins.Add(n, slices.Clone(set)) })
	if err != nil {
		return "", err
	}
	opt.Skip = nil
	err = a.eachSet(opt, func(*audit.Printer) func(int64, []uint64) []int32 {
		counts := make([]int32, len(chosen))
		return func(n int64, set []uint64) []int32 { return twins.Similar(nil, n, set, counts) }
	}, func(_ int64, _ []uint64, met []int32) {
		for _, i := range met {
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

// eachSet makes the sets of the output's records in parallel, has what newFind returns
// look at each, and hands them on with what it found.
func (a *run) eachSet(opt record.Options, newFind func(*audit.Printer) func(int64, []uint64) []int32, fn func(n int64, set []uint64, found []int32)) error {
	rd, err := record.NewReader(a.e.Input(a.Outputs), opt)
	if err != nil {
		return err
	}
	type one struct {
		n     int64
		set   []uint64
		found []int32
	}
	newWork := func() func(*record.Batch) []one {
		w := audit.NewPrinter(a.how, a.seed)
		find := newFind(w)
		var set []uint64
		return func(b *record.Batch) (all []one) {
			for i := range b.Records {
				rec := &b.Records[i]
				if rec.Err != nil || b.Skipped(rec) {
					continue
				}
				set = a.setOf(w, set[:0], rec)
				x := one{n: rec.Ordinal, found: find(rec.Ordinal, set)}
				if opt.Skip != nil {
					x.set = slices.Clone(set)
				}
				all = append(all, x)
			}
			return all
		}
	}
	return tool.Batches(a.e, rd, newWork, func(_ *record.Batch, all []one) error {
		for _, x := range all {
			fn(x.n, x.set, x.found)
		}
		return nil
	})
}

// setOf makes the set of a record: of an exact run one element.
func (a *run) setOf(w *audit.Printer, dst []uint64, rec *record.Record) []uint64 {
	if a.Of == "exact" {
		return w.Digest(dst, rec.Text, rec.Ends)[:len(dst)+1]
	}
	return w.Shingles(dst, rec.Text)
}
