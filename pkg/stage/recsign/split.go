package recsign

import (
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/text"
)

// A splitter writes a line for each part of a record, under the id of the part.
type splitter struct {
	how    text.Splitting
	signer *signer
	part   record.Record
}

// lines appends the lines of the parts of a record.
func (s *splitter) lines(dst []byte, rec *record.Record) (_ []byte, err error) {
	for start, end := 0, 0; start < len(rec.Text) && err == nil; start = end {
		end = start + s.how.Next(rec.Text[start:])
		s.part.ID = ids.AppendPart(s.part.ID[:0], rec.ID, start, end)
		s.part.Text = text.TrimBlank(rec.Text[start:end])
		dst, err = s.signer.line(dst, &s.part)
	}
	return dst, err
}
