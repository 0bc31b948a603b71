package ids

import (
	"bytes"
	"fmt"
	"strconv"

	"doppel/pkg/msg"
)

// AppendPart appends the id of a part of a record: the record's id, '#', and the range of
// bytes of its text, as in 17#120-480.
func AppendPart(dst, id []byte, start, end int) []byte {
	dst = strconv.AppendInt(append(append(dst, id...), '#'), int64(start), 10)
	return strconv.AppendInt(append(dst, '-'), int64(end), 10)
}

// CutPart splits the id of a part into the id of the record and the range of bytes; ok is false
// if id is not the id of a part.
func CutPart(id []byte) (record []byte, start, end int, ok bool) {
	hash := bytes.LastIndexByte(id, '#')
	if hash < 0 {
		return id, 0, 0, false
	}
	first, last, _ := bytes.Cut(id[hash+1:], []byte{'-'})
	_, a, oka := split(first)
	_, b, okb := split(last)
	if !oka || !okb || a > b || bytes.IndexByte(id[hash:], ':') >= 0 {
		return id, 0, 0, false
	}
	return id[:hash], int(a), int(b), true
}

// CheckWhole returns an error if the id of a record could be read as the id of a part of
// another record.
func CheckWhole(id []byte) error {
	record, _, _, ok := CutPart(id)
	if !ok {
		return nil
	}
	return msg.WithHint(fmt.Errorf("id %q would be read as the id of a part of %q", id, record), "without --id, ids are ordinals, which are unambiguous")
}
