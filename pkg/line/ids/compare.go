// Package ids provides the order of record ids, lists of ids, and tables that give each
// distinct id a small number.
//
// An id is a byte string. Most ids are ordinals of records, within one file or over all files. A
// [List] needs at most 8 bytes for such an id.
package ids

import (
	"bytes"
	"cmp"
)

// Compare orders ids. It orders ordinals by number, ids such as file:ordinal by file and then by
// number, and all other ids by their bytes. The parts of a record follow the record, ordered by
// start and then by end. Compare returns 0 only for equal ids. For ids made by recsign, the order
// is the order of the input.
func Compare(a, b []byte) int {
	a, startA, endA, partA := CutPart(a)
	b, startB, endB, partB := CutPart(b)
	prefixA, numberA, numberedA := split(a)
	prefixB, numberB, numberedB := split(b)
	return cmp.Or(bytes.Compare(prefixA, prefixB), cmp.Compare(asInt(numberedA), asInt(numberedB)), cmp.Compare(numberA, numberB),
		cmp.Compare(asInt(partA), asInt(partB)), cmp.Compare(startA, startB), cmp.Compare(endA, endB))
}

func asInt(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// split splits an id into a prefix and its final ordinal; ok is false if it has no final ordinal.
func split(id []byte) (prefix []byte, n uint64, ok bool) {
	i := len(id)
	for i > 0 && '0' <= id[i-1] && id[i-1] <= '9' {
		i--
	}
	digits := id[i:]
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && len(digits) > 1 || i > 0 && id[i-1] != ':' {
		return id, 0, false
	}
	for _, c := range digits {
		n = n*10 + uint64(c-'0')
	}
	return id[:i], n, true
}

// Ordinal returns the number of an id that is an ordinal; for any other id, ok is false.
func Ordinal(id []byte) (n int64, ok bool) {
	prefix, u, ok := split(id)
	return int64(u), ok && len(prefix) == 0
}
