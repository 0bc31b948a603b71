package line

import "doppel/pkg/line/cell"

// A Removed is the object that --removed writes for a record. Ids and texts that are nil, and other
// values that are empty, are null.
type Removed struct {
	ID, Kept       []byte // ids of the record and of the record that is kept instead
	Numbers        bool   // write ids that are ordinals as numbers
	Field          []byte // names of the text fields
	Value, Matched []byte // texts of the two records
	Score, Limit   []byte // similarity of the two records and its threshold, as JSON numbers
	Reason         []byte
}

// Append appends the object and a line end to dst.
func (r *Removed) Append(dst []byte) []byte {
	dst = AppendID(append(dst, `{"row_id":`...), r.ID, r.Numbers)
	dst = AppendID(append(dst, `,"duplicate_of_row_id":`...), r.Kept, r.Numbers)
	dst = appendText(append(dst, `,"field":`...), r.Field, len(r.Field) > 0)
	dst = appendText(append(dst, `,"value":`...), r.Value, r.Value != nil)
	dst = appendText(append(dst, `,"matched_value":`...), r.Matched, r.Matched != nil)
	dst = AppendNumber(append(dst, `,"similarity":`...), r.Score)
	dst = AppendNumber(append(dst, `,"threshold":`...), r.Limit)
	dst = appendText(append(dst, `,"reason":`...), r.Reason, len(r.Reason) > 0)
	return append(dst, "}\n"...)
}

// AppendID appends an id as a JSON string, or null if it is nil. With numbers, an ordinal is
// appended as a number.
func AppendID(dst, id []byte, numbers bool) []byte {
	if numbers && cell.IsOrdinal(id) {
		return append(dst, id...)
	}
	return appendText(dst, id, id != nil)
}

func appendText(dst, text []byte, known bool) []byte {
	if !known {
		return append(dst, "null"...)
	}
	return cell.AppendJSON(dst, text)
}

// AppendNumber appends a JSON number, or null if it is empty.
func AppendNumber(dst, number []byte) []byte {
	if len(number) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, number...)
}
