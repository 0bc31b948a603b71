// Package ids holds record ids: their order, lists of them, and tables that
// give each different id a small number.
//
// An id is any bytes. Most often it is the ordinal of a record, in its file or over
// all files, and then takes 8 bytes or none: see [List].
package ids

import (
	"bytes"
	"cmp"
)

// Compare is the order of ids: ordinals by number, file:ordinal by file and
// then by number, all others by their bytes; parts of a record by their start and
// their end, after the record itself. Different ids differ. For ids that recsign makes it
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

// split cuts an id into what comes before its ordinal and the ordinal.
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

// Ordinal returns the number that an id is, if it is one.
func Ordinal(id []byte) (n int64, ok bool) {
	prefix, u, ok := split(id)
	return int64(u), ok && len(prefix) == 0
}
