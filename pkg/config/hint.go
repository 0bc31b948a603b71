package config

import (
	"fmt"
	"slices"
	"strings"
)

// unknown returns the error of a key that there is none of, with the nearest one
// as the hint. What is named is the first part of the key that is not known.
func (f *File) unknown(s Setting, keys Keys) *Error {
	parts := strings.Split(s.Key, ".")
	name := parts[len(parts)-1]
	for i := range parts {
		if _, known := keys[strings.Join(parts[:i+1], ".")]; !known {
			name = parts[i]
			break
		}
	}
	e := f.errorf(s, "unknown key %q", name)
	if near := nearest(name, keys); near != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", near)
	}
	return e
}

// nearest returns the key whose last part is the nearest to a name, if one is
// near.
func nearest(name string, keys Keys) (near string) {
	var all []string
	for k := range keys {
		all = append(all, k)
	}
	slices.Sort(all)
	best := len(name)/2 + 1
	for _, k := range all {
		if d := distance(name, k[strings.LastIndexByte(k, '.')+1:]); d < best {
			best, near = d, k
		}
	}
	return near
}

// distance is the number of bytes to insert, delete or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
