// Package fieldpath is how a field of a record is named: by the keys that lead to it, with
// dots between them.
package fieldpath

import (
	"fmt"
	"strings"

	"doppel/pkg/wording"
)

// Split splits a path at its dots; a dot after a backslash is part of a key.
func Split(path string) []string {
	const dot = "\x00"
	keys := strings.Split(strings.ReplaceAll(path, `\.`, dot), ".")
	for i := range keys {
		keys[i] = strings.ReplaceAll(keys[i], dot, ".")
	}
	return keys
}

// Escape makes a key an element of a path.
func Escape(key string) string { return strings.ReplaceAll(key, ".", `\.`) }

// namesShown is how many names of fields a message has at most.
const namesShown = 12

// NoField returns the error of a record that lacks a field but has those names;
// the flag is the one that names another.
func NoField(field, flag string, names []string) error {
	err := fmt.Errorf("no field %q", field)
	if len(names) == 0 {
		return wording.WithHint(err, "the record has no fields")
	}
	if at := strings.IndexByte(field, '['); at > 0 {
		return wording.WithHint(err, "a path leads into objects, not into lists: jq makes a field, as in: jq -c '.text = .%s'", field)
	}
	for _, n := range names { // of which none is in an object: those are named by their members
		if strings.HasPrefix(field, n+".") {
			err = fmt.Errorf("no field %q, since %q is no object", field, n)
		}
	}
	return wording.WithHint(err, "there are %s; %s names the one to take", list(names), flag)
}

// NoText returns the error of a field that is an object with these members, an array
// or null.
func NoText(field, kind string, members []string) error {
	err := fmt.Errorf("field %q is %s, not a string", field, kind)
	switch {
	case len(members) > 0:
		return wording.WithHint(err, "in it there are %s, as in %s.%s", list(members), field, members[0])
	case kind == "an array":
		return wording.WithHint(err, `jq makes a text of an array, as in: jq -c '.text = (.%s | tostring)'`, field)
	}
	return err
}

// list shows names.
func list(names []string) string {
	more := ""
	if len(names) > namesShown {
		names, more = names[:namesShown], ", …"
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%.80q", n)
	}
	return strings.Join(quoted, ", ") + more
}
