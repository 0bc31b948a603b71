package overlap

import (
	"bufio"
	"cmp"
	"fmt"
	"math"

	"doppel/pkg/msg"
	"doppel/pkg/report"
	"doppel/pkg/tool/version"
	"doppel/pkg/topk"
)

// mostCompared is the maximum number of items whose texts the page shows, each beside a record.
const mostCompared = 40

// page writes the HTML report. It shows a histogram of the items' coverage, and the items whose
// coverage is nearest to the threshold, each beside its best record.
func (r *run) page(w *bufio.Writer) error {
	p := &report.OverlapPage{Run: report.Run{Version: version.Built()}, Coverage: r.Find.Coverage, Field: r.fields()[0]}
	p.Records, p.Overlapping, p.Bytes, p.OverlappingBytes, p.Common = r.records, r.dropped, r.bytes, r.droppedBytes, int64(len(r.common()))
	p.Scores = &report.Scores{Low: 0, Width: 0.05, Counts: make([]int64, 20), Threshold: r.Find.Coverage}
	near := topk.List[nearItem]{Size: mostCompared, Compare: func(a, b nearItem) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.field, b.field))
	}}
	for _, s := range r.benchmarks() {
		p.Benchmarks = append(p.Benchmarks, report.Benchmark{
			Name: s.Benchmark, Field: s.Field, Items: int64(s.Items), Contaminated: int64(s.Contaminated), Low: s.Low, High: s.High, Uncounted: int64(s.Uncounted),
		})
	}
	for f := 0; f < r.items.Len(); f += len(r.fields()) {
		_, coverage, _ := r.tally.Best(f)
		if coverage == 0 {
			continue
		}
		p.Found++
		p.Scores.Counts[min(int(coverage*20), 19)]++
		if one := (nearItem{math.Abs(coverage - r.Find.Coverage), f}); near.Takes(one) {
			near.Add(one)
		}
	}
	for _, n := range near.All {
		c, err := r.comparison(n.field)
		if err != nil {
			return err
		}
		p.Near = append(p.Near, c)
	}
	return p.Write(w)
}

// A nearItem holds the number of an item's first field, and the distance of the item's coverage
// from the threshold.
type nearItem struct {
	distance float64
	field    int
}

// comparison returns a comparison of an item with the record that contains the largest part of the
// item. The argument is the number of the item's first field, counted over all items.
func (r *run) comparison(field int) (c report.Comparison, err error) {
	item := field / len(r.fields())
	_, coverage, records := r.tally.Best(field)
	rec, err := r.tally.BestRecord(field)
	if err != nil {
		return c, err
	}
	begin := int64(0) // offset of the item's first field in r.texts
	if item > 0 {
		begin = r.ends[item-1]
	}
	text := make([]byte, r.ends[item]-begin)
	if _, err := r.texts.ReadAt(text, begin); err != nil {
		return c, err
	}
	hits := r.tally.Of(rec, func(f int) bool { return f == field })
	start, end := hits[0].Start, 0
	for _, h := range hits {
		end = max(end, h.End)
	}
	// shown converts an offset in the record to an offset in the excerpt, which may end before the
	// last hit.
	shown := func(at int) int { return min(at-rec.From, len(rec.Text)) }
	found := string(rec.Text[shown(start):shown(end)])
	c.Title = fmt.Sprintf("coverage %.4f, contaminated by %s", coverage, msg.Number(records, "record"))
	c.A = &report.Text{Label: fmt.Sprintf("%s: %s", r.Tests[r.benchmarkOf(item)], r.ids.Append(nil, item)), Text: string(text), Bytes: int64(len(text))}
	c.B = &report.Text{Label: "record " + string(rec.ID), Text: found, Bytes: int64(end - start)}
	return c, nil
}
