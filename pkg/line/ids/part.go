package ids

import (
	"bytes"
	"strconv"
)

// AppendPart appends the id of a part of the record id: that of the record,
// '#', and the range of bytes of its text, as in 17#120-480.
func AppendPart(dst, id []byte, start, end int) []byte {
	dst = strconv.AppendInt(append(append(dst, id...), '#'), int64(start), 10)
	return strconv.AppendInt(append(dst, '-'), int64(end), 10)
}

// CutPart returns the id of the record and the range of bytes of a part; ok
// is false for an id that is none of a part.
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
