package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// unknownKey returns the message for a key that no part of a file has, with
// the nearest one that some part has as the hint.
func unknownKey(key string) (msg, hint string) {
	msg = fmt.Sprintf("unknown key %q", key)
	best, near := len(key)/2+1, ""
	for _, k := range keys(reflect.TypeFor[Config](), "") {
		last := k[strings.LastIndexByte(k, '.')+1:]
		if d := distance(key, last); d < best {
			best, near = d, k
		}
	}
	if near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	return msg, hint
}

// firstUnknown returns the first part of a path that is no key of a file.
func firstUnknown(path []string) string {
	known := keys(reflect.TypeFor[Config](), "")
	for i := range path {
		if !slices.Contains(known, strings.Join(path[:i+1], ".")) {
			return path[i]
		}
	}
	return path[len(path)-1]
}

// keys returns the keys of a struct and of the structs in it, as paths.
func keys(t reflect.Type, prefix string) (all []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		key := prefix + f.Tag.Get("yaml")
		all = append(all, key)
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			all = append(all, keys(inner, key+".")...)
		}
	}
	return all
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
