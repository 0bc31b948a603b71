package dupreport

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/report"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// texts holds the texts that the page shows.
type texts struct {
	byID  map[string]*text   // texts by the id of the record or part
	parts map[string][]*text // the texts of a record and of its parts, by the id of the record
}

// A text holds what the page shows of a record or of one of its parts.
type text struct {
	report.Text
	id         string
	start, end int  // range of the part in bytes; 0, 0 for the whole text
	met        bool // the record has been read
}

// wantText returns the text for an id. The text is filled in when its record is read. If the run
// dropped parts, or if ids are ordinals, an id that ends with a range names a part of a record;
// otherwise it names a whole record.
func (r *session) wantText(id []byte) *text {
	if had := r.byID[string(id)]; had != nil {
		return had
	}
	one, owner := &text{id: string(id)}, id
	if record, start, end, ok := ids.CutPart(id); ok && (r.page.Totals.Parts > 0 || r.ordinal) {
		owner, one.start, one.end = record, start, end
	}
	r.byID[one.id] = one
	r.parts[string(owner)] = append(r.parts[string(owner)], one)
	return one
}

// comparison returns what the page shows of the records a and b, or of a alone if b is nil. It
// includes the command that shows the two records in a terminal, unless their ids are too long to
// type or the command could not find them. The command cannot find parts, old records or records of
// standard input.
func (r *session) comparison(title string, a, b []byte) report.Comparison {
	x := r.wantText(a)
	if b == nil {
		return report.Comparison{Title: title, A: &x.Text}
	}
	y := r.wantText(b)
	c := report.Comparison{Title: title, A: &x.Text, B: &y.Text}
	copied := slices.ContainsFunc(r.opt.Data, func(name string) bool { return name == "-" || r.e.Called[name] != "" })
	_, bare := ids.Ordinal(a)
	_, both := ids.Ordinal(b)
	mayBeOld := len(r.opt.Against) > 0 && !(r.ordinal && bare && both)
	if copied || mayBeOld || x.end+y.end > 0 || len(a)+len(b) > mostIDs {
		return c
	}
	have, preset := r.opt.Common, Default().Common
	if r.opt.Ordinals {
		have.Records.ID, have.Records.WithFilename = "", false
	}
	have.Records.Lines = have.Records.Lines || r.opt.Whole
	args := flagset.Args(flags.Part{Common: &have, Shared: flags.Records}, flags.Part{Common: &preset, Shared: flags.Records})
	for _, name := range r.names(r.opt.Data) {
		args = append(args, "--records="+name)
	}
	var typed strings.Builder // the pair as a printf format, to be put in single quotes
	escapes := map[byte]string{'\t': `\t`, '\n': `\n`, '\\': `\\`, '%': `%%`}
	for _, b := range (line.Pair{A: a, B: b}).Append(nil, line.Format{}) {
		if escape, ok := escapes[b]; ok {
			typed.WriteString(escape)
		} else if b < ' ' || b >= 0x7f || b == '\'' {
			fmt.Fprintf(&typed, `\%03o`, b)
		} else {
			typed.WriteByte(b)
		}
	}
	c.Command = "printf '" + typed.String() + "' | " + msg.Command("matchsub", append([]string{"--show"}, args...)...)
	return c
}

// shownName returns a file name as the page shows it. Unless --paths is given, it shortens an
// absolute path to its last part.
func (r *session) shownName(file string) string {
	if r.opt.Paths || !filepath.IsAbs(file) {
		return file
	}
	return filepath.Base(file)
}

func (r *session) names(files []string) (all []string) {
	for _, file := range files {
		all = append(all, r.shownName(file))
	}
	return all
}

// readRecords reads and counts the records, and fills in the texts that the page shows.
func (r *session) readRecords() error {
	opt, p := r.e.Records, &r.page
	if r.opt.Whole {
		opt.Fields, opt.Objects = nil, true
	}
	opt.Fields = append(slices.Clone(opt.Fields), r.opt.By...)
	for _, by := range append([]string{"file"}, r.opt.By...) {
		p.Places = append(p.Places, &report.Places{By: by})
	}
	rd, err := record.NewReader(r.e.Input(r.opt.Data), opt)
	if err != nil {
		return err
	}
	if err := tool.EachRecord(r.e, rd, r.addRecord); err != nil {
		return err
	}
	for i, places := range p.Places {
		if i == 0 {
			places.Fill(r.shownName)
		} else {
			places.Fill(nil)
		}
	}
	p.Totals.Unread = r.e.Unread()
	return nil
}

// readOld reads the old records and fills in the texts of those that the page shows.
func (r *session) readOld() error {
	if len(r.opt.Against) == 0 {
		return nil
	}
	opt := r.opt.Old.Options(r.opt.Records)
	if opt.Expect = 0; r.opt.Whole {
		opt.Fields, opt.Objects = nil, true
	}
	rd, err := record.NewReader(r.e.Input(r.opt.Against), opt)
	if err != nil {
		return err
	}
	return tool.EachRecord(r.e, rd, func(rec *record.Record) error {
		text := rec.Text
		if r.opt.Whole {
			text = rec.Raw
		}
		return r.fillTexts(rec, rec.ID, text, r.shownName(rec.Name))
	})
}

// checkRead returns an error if the page shows a record that was not read, or if decisions drop
// records that were not read.
func (r *session) checkRead() error {
	t := &r.page.Totals
	var absent *text
	for _, one := range r.byID {
		if !one.met && (absent == nil || ids.Compare([]byte(one.id), []byte(absent.id)) < 0) {
			absent = one
		}
	}
	if absent != nil {
		return fmt.Errorf("id %q of the decisions or pairs is not among the records", absent.id)
	}
	if whole := r.drops - t.Parts; t.Dropped < int64(r.dropped.Len()) && t.Unread == 0 {
		return fmt.Errorf("the decisions drop %s, but only %d are among the records", msg.Number(whole, "record"), t.Dropped)
	}
	return nil
}

// addRecord counts a record and, if the page shows it or one of its parts, fills in the texts. If
// two records have the same id, the first one is shown. The values of --by are the last fields of
// the record's text.
func (r *session) addRecord(rec *record.Record) error {
	text, values := rec.Text, [][]byte{[]byte(rec.Name)}
	if n := len(r.opt.By); n > 0 {
		ends, start := rec.Ends, 0
		if r.opt.Whole && n == 1 {
			ends = []int{len(rec.Text)}
		}
		if first := len(ends) - n; first > 0 {
			text, start = rec.Text[:ends[first-1]], ends[first-1]+1
		}
		for _, end := range ends[len(ends)-n:] {
			values = append(values, rec.Text[start:end])
			start = end + 1
		}
		if r.opt.Whole {
			text = rec.Raw
		}
	}
	key, dropped := rec.ID, int64(0)
	if r.opt.Ordinals {
		key = strconv.AppendInt(nil, rec.Ordinal, 10)
	}
	if n, ok := r.ids.Lookup(key); ok && r.dropped.Has(int64(n)) {
		dropped = 1
	}
	t := &r.page.Totals
	t.Records, t.Dropped = t.Records+1, t.Dropped+dropped
	t.Bytes, t.DroppedBytes = t.Bytes+int64(len(text)), t.DroppedBytes+dropped*int64(len(text))
	for i, v := range values {
		r.page.Places[i].Add(v, 1, dropped)
	}
	where := r.shownName(rec.Name)
	if r.opt.Ordinals && r.opt.Records.ID != "" {
		where = string(rec.ID) + " · " + where
	}
	return r.fillTexts(rec, key, text, where)
}

// fillTexts fills in the texts of a record that the page shows. The label of each text includes the
// given description of the record's place in the input.
func (r *session) fillTexts(rec *record.Record, id, text []byte, where string) error {
	for _, one := range r.parts[string(id)] {
		if one.met {
			continue
		}
		if one.end > len(text) {
			return rec.At(fmt.Errorf("%q is not a part of its record: the text has %d bytes", one.id, len(text)))
		}
		label, shown := one.id+" · "+where, text
		if rec.Line > 0 {
			label += ":" + strconv.FormatInt(rec.Line, 10)
		}
		if one.end > 0 {
			shown = text[one.start:one.end]
		}
		one.Text = report.Text{Label: label, Text: string(shown[:min(len(shown), report.MostText)]), Bytes: int64(len(shown))}
		one.met = true
	}
	return nil
}
