package keepdrop

import (
	"bufio"
	"strconv"
	"strings"

	"doppel/pkg/ids"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// An audit tells what was removed and why. The texts wait in a scratch file,
// since the kept record may come after the one that is dropped for it. A nil
// audit notes nothing.
type audit struct {
	list    *list
	field   string
	plainID bool // ids are ordinals, written as numbers
	out     *bufio.Writer
	texts   spill.Log
	spans   map[uint32]span // of the texts, by number of the id
	order   []removed       // in input order
}

type span struct{ offset, n int64 }

// A removed is a record that was dropped: by number, or unlisted, by its own
// id and text.
type removed struct {
	number uint32
	listed bool
	id     string
	text   span
}

func newAudit(e *tool.Env, o *options, l *list) (*audit, error) {
	if o.removed == "" {
		return nil, nil
	}
	out, err := e.Create(o.removed)
	if err != nil {
		return nil, err
	}
	a := &audit{
		list: l, out: out, spans: map[uint32]span{},
		field: strings.Join(e.Records.Fields, ","), plainID: e.Records.ID == "" && !e.Records.WithFilename,
	}
	if e.Records.Lines {
		a.field = ""
	}
	return a, nil
}

// note keeps the text of a record that is dropped, or that may be one in whose
// favour another is.
func (a *audit) note(rec *record.Record, number uint32, listed, drop bool) error {
	if a == nil {
		return nil
	}
	sp := span{a.texts.Len(), int64(len(rec.Text))}
	if listed {
		a.spans[number] = sp
	}
	if drop {
		a.order = append(a.order, removed{number, listed, string(rec.ID), sp})
	}
	_, err := a.texts.Write(rec.Text)
	return err
}

// close writes the audit, one object a removed record, in input order.
func (a *audit) close() error {
	if a == nil {
		return nil
	}
	var line []byte
	for _, r := range a.order {
		var err error
		if line, err = a.object(line[:0], r); err != nil {
			return err
		}
		if _, err := a.out.Write(line); err != nil {
			return err
		}
	}
	return a.texts.Close()
}

// object appends the object of a removed record.
func (a *audit) object(dst []byte, r removed) ([]byte, error) {
	y, known := a.list.why[r.number]
	known = known && r.listed
	dst = a.id(append(dst, `{"row_id":`...), []byte(r.id))
	dst = append(dst, `,"duplicate_of_row_id":`...)
	if known && y.hasKept {
		dst = a.id(dst, a.list.ids.Append(nil, int(y.kept)))
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"field":`...)
	dst = stringOrNull(dst, a.field)
	dst, err := a.text(append(dst, `,"value":`...), r.text, true)
	if err != nil {
		return dst, err
	}
	matched, ok := a.spans[y.kept]
	if dst, err = a.text(append(dst, `,"matched_value":`...), matched, ok && known && y.hasKept); err != nil {
		return dst, err
	}
	dst = numberOrNull(append(dst, `,"similarity":`...), y.score)
	dst = numberOrNull(append(dst, `,"threshold":`...), threshold(y.reason))
	dst = append(dst, `,"reason":`...)
	return append(stringOrNull(dst, y.reason), "}\n"...), nil
}

// id appends an id, as a number where ids are ordinals.
func (a *audit) id(dst, id []byte) []byte {
	if n, ok := ids.Ordinal(id); ok && a.plainID {
		return strconv.AppendInt(dst, n, 10)
	}
	return tsv.AppendJSON(dst, id)
}

func (a *audit) text(dst []byte, sp span, known bool) ([]byte, error) {
	if !known {
		return append(dst, "null"...), nil
	}
	text := make([]byte, sp.n)
	if _, err := a.texts.ReadAt(text, sp.offset); err != nil {
		return dst, err
	}
	return tsv.AppendJSON(dst, text), nil
}

func stringOrNull(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return tsv.AppendJSON(dst, []byte(s))
}

func numberOrNull(dst []byte, s string) []byte {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return append(dst, "null"...)
	}
	return append(dst, s...)
}

// threshold returns the number behind ">=" in a reason such as score>=0.8.
func threshold(reason string) string {
	_, t, _ := strings.Cut(reason, ">=")
	t, _, _ = strings.Cut(t, ",")
	return t
}
