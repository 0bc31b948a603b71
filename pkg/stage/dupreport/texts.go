package dupreport

import (
	"fmt"
	"path/filepath"
	"strconv"

	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/report"
)

// texts are those that the page shows, by the ids of their records.
type texts struct {
	byID   map[string]*text
	parts  map[string][]*text // of the record
	absent int                // that no record was met of
}

// A text is the beginning of that of a record, or of a part of it.
type text struct {
	id         string
	start, end int // of a part; 0, 0: of the whole
	report.Text
	met bool
}

func newTexts() texts { return texts{byID: map[string]*text{}, parts: map[string][]*text{}} }

// want returns the text of an id, which is filled in when its record is met.
func (t *texts) want(id []byte, part bool) *text {
	if had := t.byID[string(id)]; had != nil {
		return had
	}
	one := &text{id: string(id)}
	t.byID[one.id] = one
	t.absent++
	owner, start, end, ok := ids.CutPart(id)
	if part && ok {
		one.start, one.end = start, end
	} else {
		owner = id
	}
	t.parts[string(owner)] = append(t.parts[string(owner)], one)
	return one
}

// met fills in what is wanted of a record. Of two records of one id it is the first.
func (t *texts) met(key []byte, rec *record.Record, of []byte, label string) error {
	for _, one := range t.parts[string(key)] {
		if one.met {
			continue
		}
		if one.end > len(of) {
			err := fmt.Errorf("%q is no part of its record, whose text has %d bytes", one.id, len(of))
			return rec.At(err)
		}
		whole := of
		if one.end > 0 {
			whole = of[one.start:one.end]
		}
		one.met = true
		t.absent--
		one.Text = report.Text{Label: one.id + " · " + label, Text: string(whole[:min(len(whole), report.MostText)]), Bytes: int64(len(whole))}
	}
	return nil
}

// missing returns an error if some record was not met.
func (t *texts) missing() error {
	if t.absent == 0 {
		return nil
	}
	least := ""
	for id, one := range t.byID {
		if !one.met && (least == "" || ids.Compare([]byte(id), []byte(least)) < 0) {
			least = id
		}
	}
	return fmt.Errorf("id %q of the decisions or pairs is not among the records", least)
}

// label says where a record stands.
func (r *session) label(rec *record.Record) string {
	label := r.name(rec.Name)
	if rec.Line > 0 {
		label += ":" + strconv.FormatInt(rec.Line, 10)
	}
	if r.opt.Ordinals && r.opt.Records.ID != "" {
		label = string(rec.ID) + " · " + label
	}
	return label
}

// name is how a file is called: an absolute path by its last part, unless --paths
// asks for all.
func (r *session) name(file string) string {
	if r.opt.Paths || !filepath.IsAbs(file) {
		return file
	}
	return filepath.Base(file)
}
