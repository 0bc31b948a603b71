package recsign

import (
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/text"
)

// A splitter writes a line for each part of a record, under the id of the part.
type splitter struct {
	how    text.Splitting
	least  int // bytes of a part that is signed
	signer *signer
	part   record.Record
}

// lines appends the lines of the parts of a record.
func (s *splitter) lines(dst []byte, rec *record.Record) (_ []byte, err error) {
	s.how.Each(rec.Text, s.least, func(part []byte, start, end int) {
		s.part.ID = ids.AppendPart(s.part.ID[:0], rec.ID, start, end)
		if s.part.Text = part; err == nil {
			dst, err = s.signer.line(dst, &s.part)
		}
	})
	return dst, err
}
