package audit

import (
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/audit"
	"doppel/pkg/fingerprint"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/topk"
)

// estimate compares a sample of the kept records with all other records of the output, unless the
// run did not compare new records, and with all old records. It returns a
// sentence about the share of sampled records with a duplicate that the run missed.
func (a *run) estimate() (string, error) {
	drawn := topk.List[int64]{Size: a.Sample, Compare: func(x, y int64) int { return cmp.Compare(topk.Draw(0, x), topk.Draw(0, y)) }}
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
	opt.Encoding, opt.Mixed = "", true              // the output is UTF-8
	opt.Lacking = opt.Missing == record.MissingKeep // perhaps only records without a text were kept
	opt.Skip = func(n int64) bool { _, ok := slices.BinarySearch(chosen, n); return !ok }
	if err := a.eachSet(a.Outputs, opt, twins, func(x one) { twins.Add(x.n, x.set, x.value) }); err != nil {
		return "", err
	}
	opt.Skip = nil
	found := func(x one) {
		for _, i := range x.met {
			twins.Found[i] = true
		}
	}
	var err error
	if !a.OnlyAgainst {
		err = a.eachSet(a.Outputs, opt, twins, found)
	}
	if err == nil && len(a.olds) > 0 {
		twins.Old = true
		err = a.eachSet(a.olds, a.oldOptions(), twins, found)
	}
	if err != nil {
		return "", err
	}
	missed := 0
	for _, found := range twins.Found {
		if found {
			missed++
		}
	}
	old := ""
	if len(a.olds) > 0 {
		old = " or to an old record"
	}
	share := fingerprint.Wilson(missed, len(twins.Found), fingerprint.Confidence95)
	return fmt.Sprintf("; %d of %d sampled kept records are similar to another%s: %.2f %% (95 %% interval %.2f to %.2f)",
		missed, len(twins.Found), old, 100*share.Value, 100*share.Low, 100*share.High), nil
}

// An output record is described by its set, or by the sampled records that are similar to it.
type one struct {
	n     int64    // ordinal in the output
	set   []uint64 // shingles or digest of the text
	value uint64   // hash of the value of --across; 0 without --across
	met   []int32  // indices of similar records in the sample
}

// eachSet computes the sets of the records of some files in parallel and calls fn for each record, in
// order. If opt.Skip is set, fn receives the records that are not skipped, with their sets.
// Otherwise fn receives every record, with the records of the sample that are similar to it.
func (a *run) eachSet(names []string, opt record.Options, twins *audit.Twins, fn func(one)) error {
	rd, err := record.NewReader(a.e.Input(names), opt)
	if err != nil {
		return err
	}
	sampled := len(twins.Found) // count before any worker starts, because fn may add records to twins
	newWork := func() func(*record.Batch) []one {
		w := audit.NewPrinter(a.how, a.seed)
		counts := make([]int32, sampled)
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
