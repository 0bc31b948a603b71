// Package keyline writes and parses the key lines of passages. A key line holds the key of a
// run and the place of the run in its record. The documentation of package passage defines the
// format.
package keyline

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"doppel/pkg/passage"
)

// The number of hexadecimal digits in a key, and the prefix that a key omits from its scheme.
const (
	digits       = (passage.KeyBits + 3) / 4
	schemePrefix = "passage/"
)

// AppendKey appends the key of a run to dst: 14 hexadecimal digits, a dot, and the scheme without
// "passage/". The scheme is part of the key so that readers can reject keys of different schemes,
// which must not be compared.
func AppendKey(dst []byte, r passage.Run, scheme string) []byte {
	dst = fmt.Appendf(dst, "%0*x.", digits, r.Key())
	return append(dst, strings.TrimPrefix(scheme, schemePrefix)...)
}

// ParseKey parses the output of AppendKey. Only the high passage.KeyBits bits of hash are set.
// ParseKey does not check the scheme, except that it must not be empty.
func ParseKey(key []byte) (hash uint64, scheme string, err error) {
	hex, rest, _ := bytes.Cut(key, []byte{'.'})
	h, err := strconv.ParseUint(string(hex), 16, passage.KeyBits)
	if err != nil || len(hex) != digits || len(rest) == 0 {
		return 0, "", fmt.Errorf("invalid key %q of a passage", key)
	}
	return h << (64 - passage.KeyBits), schemePrefix + string(rest), nil
}

// AppendPlace appends the id column of a run's key line to dst: id#start+count, then an asterisk
// if Twice is set.
func AppendPlace(dst, id []byte, r passage.Run) []byte {
	dst = append(append(dst, id...), '#')
	dst = strconv.AppendInt(dst, int64(r.Start), 10)
	dst = strconv.AppendInt(append(dst, '+'), int64(r.Count), 10)
	if r.Twice {
		dst = append(dst, '*')
	}
	return dst
}

var errPlace = errors.New("want id#start+count")

// ParsePlace parses the output of AppendPlace. The returned id is a subslice of place and may
// contain "#". The run's Hash is 0.
func ParsePlace(place []byte) (id []byte, r passage.Run, err error) {
	hash := bytes.LastIndexByte(place, '#')
	rest, twice := bytes.CutSuffix(place[hash+1:], []byte("*"))
	start, count, ok := bytes.Cut(rest, []byte("+"))
	s, err := strconv.ParseUint(string(start), 10, 32)
	n, countErr := strconv.ParseUint(string(count), 10, 16)
	if hash < 0 || !ok || err != nil || countErr != nil || n < 1 || n > passage.MaxCount {
		return nil, passage.Run{}, fmt.Errorf("invalid place %q: %w", place, errPlace)
	}
	return place[:hash], passage.Run{Start: int(s), Count: int(n), Twice: twice}, nil
}
