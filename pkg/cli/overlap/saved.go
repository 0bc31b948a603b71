package overlap

import (
	"bufio"
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/msg"
	"doppel/pkg/overlap"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// save writes the input for --merge: the windows that the records share with the test items.
func (r *run) save(w *bufio.Writer) error {
	format := line.Format{}
	put := func(l line.Found) error {
		_, err := w.Write(l.Append(w.AvailableBuffer(), format))
		return err
	}
	if err := put(line.Found{Kind: line.FoundRead, ID: []byte(r.index.Scheme()), Count: r.records, Bytes: r.bytes}); err != nil {
		return err
	}
	for n := range r.index.Windows() {
		if count := r.tally.InRecords(n); count > 0 && r.tally.Common(n) {
			if err := put(line.Found{Kind: line.FoundCommon, ID: fmt.Append(nil, n), Count: count}); err != nil {
				return err
			}
		}
	}
	overlapping := 0
	var hits []byte
	err := r.tally.Records(func(rec *overlap.Record) error {
		overlapping++
		hits = overlap.AppendHits(hits[:0], rec.Hits)
		return put(line.Found{Kind: line.FoundRecord, ID: rec.ID, Count: int64(rec.From), Bytes: int64(rec.Size), Windows: hits, Text: rec.Text})
	})
	if err != nil {
		return err
	}
	s := savedStats{r.records, overlapping, len(r.common())}
	return r.Job.Report(r.e, s, func() {
		r.e.Note("%s read, %d with windows of test items; %s", msg.Number(s.Records, "record"), s.Overlapping, msg.Number(s.Common, "common window"))
	})
}

// savedStats holds the totals that --save prints at the end.
type savedStats struct {
	Records     int64 `json:"records"`
	Overlapping int   `json:"records_with_windows"`
	Common      int   `json:"common_windows"`
}

// A merger combines the saved files of the shards.
type merger struct {
	*run
	begun bool      // the first line of the current file has been read
	seen  ids.Table // ids of the records; used only with --decisions
}

// readSaved reads files written by --save. Without names, it reads standard input.
func (r *run) readSaved(names []string) error {
	m := &merger{run: r}
	if len(names) == 0 {
		names = []string{plan.Stdin}
	}
	for _, name := range names {
		m.begun = false
		rd, err := lineio.Open(r.e, []string{name})
		if err != nil {
			return err
		}
		if err := tool.EachRecord(r.e, rd, m.add); err != nil {
			return err
		}
		if !m.begun {
			if name == plan.Stdin {
				name = "<stdin>"
			}
			return notSaved(fmt.Errorf("%s: the input is empty", name))
		}
	}
	return nil
}

func notSaved(err error) error {
	return msg.WithHint(err, "--merge reads files written by doppel overlap --save")
}

// add adds a line of a saved file. A bad line ends the run even under -k, because the counts would
// be wrong.
func (m *merger) add(rec *record.Record) error {
	var l line.Found
	err := l.Parse(rec.Raw)
	switch {
	case err == nil && (l.Count < 0 || l.Bytes < 0):
		err = fmt.Errorf("count %d, bytes %d: want 0 or more", l.Count, l.Bytes)
	case err == nil && l.Kind == line.FoundRead:
		m.begun = true
		err = m.addRead(l)
	case err == nil && !m.begun:
		err = fmt.Errorf("the first line has the kind %q: want read", l.Kind)
	case err == nil && l.Kind == line.FoundCommon:
		var window int
		if window, err = m.index.ParseWindow(l.ID); err == nil {
			m.tally.AddCount(window, l.Count)
		}
	case err == nil && l.Kind == line.FoundRecord:
		return m.addRecord(rec, l)
	case err == nil:
		err = fmt.Errorf("invalid kind %q: want read, common or record", l.Kind)
	}
	if err != nil {
		return notSaved(rec.At(err))
	}
	return nil
}

// addRead adds the counts of a shard. It rejects a shard that was saved with different test items
// or options.
func (m *merger) addRead(l line.Found) error {
	if want := m.index.Scheme(); string(l.ID) != want {
		return fmt.Errorf("saved with other test items or options: %s, want %s", l.ID, want)
	}
	m.records += l.Count
	m.bytes += l.Bytes
	return nil
}

func (m *merger) addRecord(rec *record.Record, l line.Found) error {
	one := overlap.Record{ID: l.ID, Size: int(l.Bytes), From: int(l.Count), Text: l.Text}
	var err error
	if one.Hits, err = m.index.ParseHits(nil, l.Windows, l.Bytes); err == nil && l.Count > l.Bytes-int64(len(l.Text)) {
		err = fmt.Errorf("count %d: a saved text of %d bytes at this position does not fit in a text of %d bytes", l.Count, len(l.Text), l.Bytes)
	}
	if err != nil {
		return notSaved(rec.At(err))
	}
	if m.Decisions != "" {
		if n := m.seen.Len(); int(m.seen.Intern(l.ID)) != n {
			return rec.At(fmt.Errorf("duplicate id %q: an earlier record has the same id", l.ID))
		}
	}
	if m.Report == "" {
		one.Text = nil
	}
	return m.tally.Add(one)
}
