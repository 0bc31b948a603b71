package groups

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// members holds the records of groups: the dropped records, and the records in favour of which they
// are dropped. It takes about 200 bytes per record of a group, and nothing for other records.
type members struct {
	ordinals bool // ids are ordinals
	width    int  // maximum number of characters of a text
	ids      ids.Table
	all      []member // members, indexed by id number
	alone    int64    // number of decisions to drop that name no kept record
}

// A member is a record of a group.
type member struct {
	id      []byte // id to show
	text    []byte // beginning of the text
	ordinal int64  // ordinal in the input
	found   bool   // the record is in the input
	dropped bool
	kept    uint32 // id number of the record in favour of which this one is dropped, or of this record itself
	score   cell.Number
}

// addDecision adds the records of a decision to drop. It ignores other decisions.
func (m *members) addDecision(text []byte) error {
	var d line.Decision
	if err := d.Parse(text); err != nil || d.Verdict != line.Drop {
		return err
	}
	if d.Kept == nil {
		m.alone++
		return nil
	}
	n, kept := m.numberOf(d.ID), m.numberOf(d.Kept)
	one := &m.all[n]
	one.dropped, one.kept = true, kept
	if score, known := d.Score.Float(); known {
		one.score = cell.Float(score) // copied, because d.Score refers to the line, whose memory is reused
	}
	return nil
}

// numberOf returns the number of an id. If the id is new, it adds a member.
func (m *members) numberOf(id []byte) uint32 {
	n := m.ids.Intern(id)
	if int(n) == len(m.all) {
		m.all = append(m.all, member{id: bytes.Clone(id), kept: n})
	}
	return n
}

// resolveKept follows chains of records that are dropped in favour of dropped records, so that the
// kept field of each member is the kept record of its group. It returns an error if a chain is
// circular.
func (m *members) resolveKept() error {
	for n := range m.all {
		steps := 0
		for m.all[m.all[n].kept].dropped {
			if m.all[n].kept = m.all[m.all[n].kept].kept; steps == len(m.all) {
				return fmt.Errorf("%q is dropped in favour of a record that is dropped in favour of %[1]q", m.all[n].id)
			}
			steps++
		}
	}
	return nil
}

// storeText stores the beginning of the text of a record, if the record is a member. It replaces
// each run of white space with a single space.
func (m *members) storeText(rec *record.Record) error {
	key := rec.ID
	if m.ordinals {
		key = strconv.AppendInt(nil, rec.Ordinal, 10)
	}
	n, ok := m.ids.Lookup(key)
	if !ok {
		return nil
	}
	const most = 16 // maximum number of bytes read for each character shown
	words := bytes.Fields(rec.Text[:min(len(rec.Text), most*min(m.width, len(rec.Text)))])
	runes := bytes.Runes(bytes.Join(words, []byte{' '}))
	one := &m.all[n]
	one.found, one.ordinal, one.id = true, rec.Ordinal, bytes.Clone(rec.ID)
	one.text = []byte(string(runes[:min(len(runes), m.width)]))
	return nil
}

func compareMembers(a, b *member) int {
	switch {
	case a.dropped != b.dropped && b.dropped:
		return -1
	case a.dropped != b.dropped:
		return 1
	}
	return cmp.Or(cmp.Compare(a.ordinal, b.ordinal), bytes.Compare(a.id, b.id))
}

// write writes at most the given number of groups, or all groups if the number is negative. The
// largest groups come first, and groups of equal size are in input order. In each group, the kept
// record comes first. write reports how many groups it did not write.
func (m *members) write(e *tool.Env, most int) error {
	by := map[uint32][]*member{}
	for n := range m.all {
		one := &m.all[n]
		by[one.kept] = append(by[one.kept], one)
	}
	var all [][]*member
	for _, group := range by {
		slices.SortFunc(group, compareMembers)
		all = append(all, group)
	}
	slices.SortFunc(all, func(a, b []*member) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), compareMembers(a[0], b[0]))
	})
	rest := 0
	if most >= 0 && most < len(all) {
		all, rest = all[:most], len(all)-most
	}
	var text []byte
	if e.Header {
		text = appendRows(nil, 1, []*member{{}}, line.Format{Names: true})
		if _, err := e.Out.Write(text); err != nil {
			return err
		}
		text = text[:0]
	}
	for i, group := range all {
		if e.JSON {
			text = appendGroup(text, i+1, group)
		} else {
			text = appendRows(text, i+1, group, line.Format{})
		}
		if _, err := e.Out.Write(text); err != nil {
			return err
		}
		text = text[:0]
	}
	if rest > 0 {
		e.Note("%s more", msg.Number(rest, "group"))
	}
	if m.alone > 0 {
		e.Note("%s in no group, because the list names no kept record for them", msg.Number(m.alone, "dropped record"))
	}
	return nil
}

func appendRows(dst []byte, number int, group []*member, f line.Format) []byte {
	for _, one := range group {
		w := f.Begin(dst)
		w.Int("group", int64(number))
		w.Int("size", int64(len(group)))
		one.writeColumns(&w)
		dst = w.End()
	}
	return dst
}

// appendGroup appends a group to dst as a JSON object.
func appendGroup(dst []byte, number int, group []*member) []byte {
	dst = fmt.Appendf(dst, `{"group":%d,"size":%d,"kept":`, number, len(group))
	dst = append(cell.AppendJSON(dst, group[0].id), `,"members":[`...)
	for i, one := range group {
		if i > 0 {
			dst = append(dst, ',')
		}
		w := line.Format{JSON: true}.Begin(dst)
		one.writeColumns(&w)
		dst = bytes.TrimSuffix(w.End(), []byte{'\n'})
	}
	return append(dst, "]}\n"...)
}

// writeColumns writes the columns of a member that do not depend on the format.
func (one *member) writeColumns(w *line.Writer) {
	verdict := line.Keep
	if one.dropped {
		verdict = line.Drop
	}
	w.Bytes("verdict", []byte(verdict.String()))
	w.Bytes("id", one.id)
	if score, known := one.score.Float(); known {
		w.Float("score", score)
	} else {
		w.None("score")
	}
	if one.found {
		w.Bytes("text", one.text)
	} else {
		w.None("text")
	}
}
