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
		if o.OnlyIDs {
			w := line.Format{}.Begin(text[:0])
			w.Bytes("id", rec.ID)
			text = w.End()
		} else {
			text = line.Text{ID: rec.ID, Text: rec.Text}.Append(text[:0], line.Format{})
		}
		_, err = e.Out.Write(text)
		return err
	})
	if err == nil {
		err = k.unmet(o)
	}
	if err != nil {
		return err
	}
	return e.WriteStats(o.Stats, k.counts())
}
