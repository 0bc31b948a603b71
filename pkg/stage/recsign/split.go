package recsign

import (
	"doppel/pkg/ids"
	"doppel/pkg/record"
	"doppel/pkg/text"
)

// A line appends the line of a record to dst.
type line = func(dst []byte, rec *record.Record) ([]byte, error)

// split returns a line that writes one for each part of a record, under the
// id of the part.
func split(how text.Splitting, whole line) line {
	if how == text.Unsplit {
		return whole
	}
	var part record.Record
	var id []byte
	return func(dst []byte, rec *record.Record) (_ []byte, err error) {
		for start, end := 0, 0; start < len(rec.Text) && err == nil; start = end {
			end = start + how.Next(rec.Text[start:])
			id = ids.AppendPart(id[:0], rec.ID, start, end)
			part = record.Record{ID: id, Text: text.TrimBlank(rec.Text[start:end])}
			dst, err = whole(dst, &part)
		}
		return dst, err
	}
}
