package keepdrop

import (
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// writeTexts writes the ids and the texts of the records that are kept, as lines, or
// the ids alone.
func (o *Options) writeTexts(e *tool.Env, l *list, operands []string) error {
	if o.byOrdinal() && !e.KeepGoing {
		e.Records.Skip = func(ordinal int64) bool { return l.inverse && l.lacks(ordinal) }
	}
	e.Records.NoText = o.OnlyIDs
	rd, err := record.NewReader(e.Input(operands), e.Records)
	if err != nil {
		return err
	}
	var text []byte
	k := newKeeper(e, l)
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		keep, err := k.record(rec)
		if err != nil || !keep {
			return err
		}
		text = o.appendLine(text[:0], rec)
		_, err = e.Out.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return k.finish(o)
}

// appendLine appends the id of a record, and its text if that is wanted.
func (o *Options) appendLine(dst []byte, rec *record.Record) []byte {
	if !o.OnlyIDs {
		return line.Text{ID: rec.ID, Text: rec.Text}.Append(dst, line.Format{})
	}
	w := line.Format{}.Begin(dst)
	w.Bytes("id", rec.ID)
	return w.End()
}
