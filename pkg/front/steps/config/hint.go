package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"doppel/pkg/wording"
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
func nearest(name string, keys Keys) string {
	all, last := slices.Sorted(maps.Keys(keys)), []string(nil)
	for _, k := range all {
		last = append(last, k[strings.LastIndexByte(k, '.')+1:])
	}
	if n := slices.Index(last, wording.Nearest(name, last)); n >= 0 {
		return all[n]
	}
	return ""
}
