package overlap

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"doppel/pkg/fingerprint"
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/rule"
	"doppel/pkg/msg"
	"doppel/pkg/overlap"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

type run struct {
	*Options
	e     *tool.Env
	items *overlap.Items
	ids   ids.Table // ids of the items, by number
	begin []int     // index of the first item of each benchmark, then the total number of items
	texts spill.Log // the first field of each item, unchanged, for the page
	ends  []int64   // for each item, the offset in r.texts at which its first field ends

	index                 *overlap.Index
	tally                 *overlap.Tally
	records, bytes        int64 // number of records read, and size of their texts in bytes
	dropped, droppedBytes int64 // number of records dropped, and size of their texts in bytes
}

// fields returns the names of the fields of an item.
func (r *run) fields() []string {
	if len(r.Fields) == 0 {
		return []string{"text"}
	}
	return r.Fields
}

// readTests reads the test items of all benchmarks.
func (r *run) readTests() error {
	train := r.e.Records
	opt := record.Options{
		Fields: r.fields(), Flag: "--test-field", ID: r.TestID, WithFilename: len(r.Tests) > 1 && r.TestID == "",
		Lines: train.Lines && len(r.Fields) == 0, Dialect: train.Dialect, MaxRecord: train.MaxRecord,
	}
	opt.Mixed = true
	r.items = overlap.NewItems(r.Find, len(r.fields()))
	for _, name := range r.Tests {
		r.begin = append(r.begin, r.ids.Len())
		rd, err := record.NewReader(r.e.Input([]string{name}), opt)
		if err != nil {
			return err
		}
		if err := tool.EachRecord(r.e, rd, r.addItem); err != nil {
			return err
		}
		if r.ids.Len() == r.begin[len(r.begin)-1] {
			return fmt.Errorf("%s: no test items", name)
		}
	}
	r.begin = append(r.begin, r.ids.Len())
	return nil
}

// addItem adds a test item. An item is bad if one of its fields has no words, or if an earlier
// item has the same id.
func (r *run) addItem(rec *record.Record) error {
	start, first := 0, []byte(nil)
	for i, name := range r.fields() {
		end := len(rec.Text)
		if len(rec.Ends) > 0 {
			end = rec.Ends[i]
		}
		field := rec.Text[start:end]
		start = min(end+1, len(rec.Text)) // skip the LF between two fields
		err := r.items.Add(field)
		if errors.Is(err, overlap.ErrNoWords) {
			err = fmt.Errorf("field %q of the test item has no words", name)
		}
		if err != nil {
			r.items.Drop(i)
			return r.e.Skip(rec.At(err))
		}
		if i == 0 {
			first = field
		}
	}
	if n := r.ids.Len(); int(r.ids.Intern(rec.ID)) != n {
		r.items.Drop(len(r.fields()))
		return r.e.Skip(rec.At(fmt.Errorf("duplicate id %q: an earlier test item has the same id", rec.ID)))
	}
	if r.Report == "" {
		return nil
	}
	_, err := r.texts.Write(first)
	r.ends = append(r.ends, r.texts.Len())
	return err
}

// benchmarkOf returns the index of an item's benchmark in r.Tests.
func (r *run) benchmarkOf(item int) int {
	n, found := slices.BinarySearch(r.begin, item)
	if !found {
		n--
	}
	return n
}

// scanned holds the hits in the records of a batch. The hits in record i end at index ends[i].
type scanned struct {
	hits []overlap.Hit
	ends []int
}

func (r *run) readTrain(rd *record.Reader) error {
	locate := r.Cut || r.Report != "" || r.Save != ""
	work := func() func(*record.Batch) scanned {
		s := r.index.NewScanner(locate)
		return func(b *record.Batch) (all scanned) {
			for i := range b.Records {
				if rec := &b.Records[i]; rec.Err == nil {
					all.hits = s.Scan(all.hits, rec.Text)
				}
				all.ends = append(all.ends, len(all.hits))
			}
			return all
		}
	}
	return tool.Batches(r.e, rd, work, func(b *record.Batch, all scanned) error {
		start := 0
		for i := range b.Records {
			rec, hits := &b.Records[i], all.hits[start:all.ends[i]]
			if start = all.ends[i]; rec.Err != nil {
				continue
			}
			r.records++
			r.bytes += int64(len(rec.Text))
			one := overlap.Record{ID: rec.ID, Size: len(rec.Text), Hits: hits}
			if r.Report != "" || r.Save != "" {
				one.Text, one.From = excerpt(rec.Text, hits)
			}
			if err := r.tally.Add(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// decide writes the decisions on the records to w, unless w is nil. It also makes r.tally determine
// the best record of each item.
func (r *run) decide(w *bufio.Writer) error {
	var reason []byte
	format := lineio.FormatOf(r.e, r.Decisions)
	return r.tally.Each(func(rec *overlap.Record, matches []overlap.Match) error {
		best, covered := overlap.Match{}, map[int]bool{}
		for _, m := range matches {
			if m.Field%len(r.fields()) != 0 || m.Coverage < r.Find.Coverage {
				continue
			}
			if m.Coverage > best.Coverage || m.Coverage == best.Coverage && m.Field < best.Field {
				best = m
			}
			if r.Cut {
				covered[m.Field] = true
			}
		}
		if best.Matched == 0 {
			return nil
		}
		r.dropped++
		r.droppedBytes += int64(rec.Size)
		if w == nil {
			return nil
		}
		reason = rule.Overlap.AppendLeast(reason[:0], r.Find.Coverage)
		reason = r.ids.Append(append(reason, ",item="...), best.Field/len(r.fields()))
		d := line.Decision{Verdict: line.Drop, ID: rec.ID, Score: cell.Float(best.Coverage), Rule: reason}
		if !r.Cut {
			_, err := w.Write(d.Append(w.AvailableBuffer(), format))
			return err
		}
		hits := r.tally.Of(rec, func(field int) bool { return covered[field] })
		for _, s := range overlap.Spans(hits) {
			d.ID = ids.AppendPart(nil, rec.ID, s.Start, s.End)
			if _, err := w.Write(d.Append(w.AvailableBuffer(), format)); err != nil {
				return err
			}
		}
		return nil
	})
}

// table writes the main output: one row for each field of each item.
func (r *run) table() error {
	format := lineio.Format(r.e)
	var text []byte
	for f := range r.items.Len() {
		item, names := f/len(r.fields()), r.fields()
		row := row{benchmark: r.Tests[r.benchmarkOf(item)], field: names[f%len(names)], id: r.ids.Append(nil, item), show: r.Show}
		row.windows, row.coverage, row.records = r.tally.Best(f)
		var err error
		if row.record, err = r.tally.BestID(f); err != nil {
			return err
		}
		if row.record != nil && r.Show {
			best, err := r.tally.BestRecord(f)
			if err != nil {
				return err
			}
			text = r.tally.Matched(text[:0], best, f)
			row.text = text
		}
		if _, err := r.e.Out.Write(row.Append(r.e.Out.AvailableBuffer(), format)); err != nil {
			return err
		}
	}
	return nil
}

// writeSpoiled writes decisions that drop the contaminated items.
func (r *run) writeSpoiled(w *bufio.Writer) error {
	reason := rule.Overlap.AppendLeast(nil, r.Find.Coverage)
	for f := 0; f < r.items.Len(); f += len(r.fields()) {
		if !r.tally.Contaminated(f) {
			continue
		}
		_, coverage, _ := r.tally.Best(f)
		d := line.Decision{Verdict: line.Drop, ID: r.ids.Append(nil, f/len(r.fields())), Score: cell.Float(coverage), Rule: reason}
		if _, err := w.Write(d.Append(w.AvailableBuffer(), lineio.FormatOf(r.e, r.Spoiled))); err != nil {
			return err
		}
	}
	return nil
}

// common returns the numbers of the windows that are ignored because they are too common.
func (r *run) common() (all []int) {
	for n := range r.index.Windows() {
		if r.tally.Common(n) {
			all = append(all, n)
		}
	}
	return all
}

// listCommon lists the ignored windows, sorted by the number of records that contain them, in
// descending order.
func (r *run) listCommon(w *bufio.Writer) error {
	common := r.common()
	slices.SortStableFunc(common, func(a, b int) int {
		return cmp.Compare(r.tally.InRecords(b), r.tally.InRecords(a))
	})
	for _, n := range common {
		row := commonRow{r.tally.InRecords(n), int64(r.index.InItems(n)), r.index.Text(n)}
		if _, err := w.Write(row.Append(w.AvailableBuffer(), lineio.FormatOf(r.e, r.CommonTo))); err != nil {
			return err
		}
	}
	return nil
}

// stats holds the totals printed at the end.
type stats struct {
	Records    int64            `json:"records"`
	Dropped    int64            `json:"overlapping_records"`
	Common     int              `json:"common_windows"`
	Benchmarks []benchmarkStats `json:"benchmarks"`
}

// benchmarkStats holds the results for a field of a benchmark.
type benchmarkStats struct {
	Benchmark    string  `json:"benchmark"`
	Field        string  `json:"field"`
	Items        int     `json:"items"`
	Contaminated int     `json:"contaminated"`
	Share        float64 `json:"share"`
	Low          float64 `json:"low"`
	High         float64 `json:"high"`
	Uncounted    int     `json:"items_of_common_windows"` // number of items whose windows are all ignored
}

func (r *run) report() error {
	s := stats{Records: r.records, Dropped: r.dropped, Common: len(r.common()), Benchmarks: r.benchmarks()}
	return r.Job.Report(r.e, s, func() {
		for _, b := range s.Benchmarks {
			uncounted := ""
			if b.Uncounted > 0 {
				uncounted = fmt.Sprintf("; %s with only common windows", msg.Number(b.Uncounted, "item"))
			}
			r.e.Note("%s, %s: %d of %s contaminated, %.1f %% (95 %% interval %.1f to %.1f)%s",
				b.Benchmark, b.Field, b.Contaminated, msg.Number(b.Items, "item"), 100*b.Share, 100*b.Low, 100*b.High, uncounted)
		}
		r.e.Note("%s read, %d contaminating; %s ignored", msg.Number(s.Records, "record"), s.Dropped, msg.Number(s.Common, "common window"))
	})
}

// benchmarks returns the results for each field of each benchmark.
func (r *run) benchmarks() (all []benchmarkStats) {
	for b, name := range r.Tests {
		for i, field := range r.fields() {
			all = append(all, r.benchmark(b, name, i, field))
		}
	}
	return all
}

// benchmark returns the results for field i of benchmark b; the strings are their names.
func (r *run) benchmark(b int, name string, i int, field string) benchmarkStats {
	s := benchmarkStats{Benchmark: name, Field: field, Items: r.begin[b+1] - r.begin[b]}
	for item := r.begin[b]; item < r.begin[b+1]; item++ {
		f := item*len(r.fields()) + i
		if r.tally.Contaminated(f) {
			s.Contaminated++
		}
		if windows, _, _ := r.tally.Best(f); windows == 0 {
			s.Uncounted++
		}
	}
	share := fingerprint.Wilson(s.Contaminated, s.Items, fingerprint.Confidence95)
	s.Share, s.Low, s.High = share.Value, share.Low, share.High
	return s
}
