// Package fieldpath parses the paths that name fields of records: keys of objects joined by dots,
// and indexes of arrays, as in messages[0].content. An empty index selects all elements, as in
// messages[].content.
package fieldpath

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"doppel/pkg/msg"
)

// A Step selects a member of an object, or one or all elements of an array.
type Step struct {
	Key   string // key of the object's member; unused if Array is set
	Array bool
	At    int // zero-based index of the array element, or All
}

// All, used as the index of a Step, selects every element of an array.
const All = -1

// indexed matches a key that is followed by an index. Any other brackets are part of the key.
var indexed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*[^\\])\[([0-9]{0,9})\]$`) })

// Parse returns the steps of a path. A dot or an opening bracket that follows a backslash is part
// of a key.
func Parse(path string) (steps []Step) {
	const dot = "\x00"
	for _, key := range strings.Split(strings.ReplaceAll(path, `\.`, dot), ".") {
		first := len(steps)
		for m := indexed().FindStringSubmatch(key); m != nil; m = indexed().FindStringSubmatch(key) {
			at, err := strconv.Atoi(m[2])
			if err != nil {
				at = All // the index is empty
			}
			key, steps = m[1], slices.Insert(steps, first, Step{Array: true, At: at})
		}
		steps = slices.Insert(steps, first, Step{Key: strings.NewReplacer(dot, ".", `\[`, "[").Replace(key)})
	}
	return steps
}

// IntoArray reports whether a path leads into an array.
func IntoArray(path string) bool {
	return slices.ContainsFunc(Parse(path), func(s Step) bool { return s.Array })
}

// Column returns the name of the CSV column that a path names. A column name may contain dots, so a
// dot is not a separator.
func Column(path string) string { return strings.NewReplacer(`\.`, ".", `\[`, "[").Replace(path) }

// Escape returns a key with backslashes before the dots and brackets that would be special in a
// path.
func Escape(key string) string {
	if indexed().MatchString(key) {
		key = strings.ReplaceAll(key, "[", `\[`)
	}
	return strings.ReplaceAll(key, ".", `\.`)
}

// namesShown is the maximum number of field names in a message.
const namesShown = 12

// NoField returns the error for a record that lacks a field. names are the paths of the record's
// fields. The error's hint lists these paths and names the flag that selects a field.
func NoField(field, flag string, names []string) error {
	err := fmt.Errorf("no field %q", field)
	if len(names) == 0 {
		return msg.WithHint(err, "the record has no fields; --lines reads each line as a text")
	}
	for _, n := range names { // names lists the members of an object instead of the object itself
		if strings.HasPrefix(field, n+".") {
			err = fmt.Errorf("no field %q: %q is not an object", field, n)
		}
	}
	return msg.WithHint(err, "%sthe fields are %s; choose one with %s", indexHint(field), quoteNames(names), flag)
}

// NoRecord returns the error for a path into an array if no record has a value at that path. names
// are the paths of the fields of one record.
func NoRecord(field, flag string, names []string) error {
	return msg.WithHint(fmt.Errorf("no record has the field %q", field), "the fields are %s; choose one with %s", quoteNames(names), flag)
}

// indexHint returns an explanation of the syntax of indexes if a path has a bracket that is not
// part of an index, and otherwise "".
func indexHint(path string) string {
	isBad := func(s Step) bool { return !s.Array && strings.Contains(s.Key, "[") }
	if !slices.ContainsFunc(Parse(strings.ReplaceAll(path, `\[`, "")), isBad) {
		return ""
	}
	return "an index is [0] for the first element, or [] for all; "
}

// A NullError reports that a field is null.
type NullError struct{ Field, Want string }

func (n *NullError) Error() string { return fmt.Sprintf("field %q is null, not %s", n.Field, n.Want) }

// NoText returns the error for a field whose value is not a text but null, an object or an array.
// kind describes the value, as in "null" or "an object". members are the paths of the values inside
// the field, relative to the field.
func NoText(field, kind string, members []string) error {
	if kind == "null" {
		return &NullError{field, "a string"}
	}
	err := fmt.Errorf("field %q is %s, not a string", field, kind)
	if len(members) == 0 {
		return err
	}
	dot := "."
	if members[0][0] == '[' {
		dot = ""
	}
	return msg.WithHint(err, "the field contains %s; give a longer path, such as %s%s%s", quoteNames(members), field, dot, members[0])
}

// NoWay returns the error for a path that leads into a value of the wrong kind. kind describes the
// value, as in "null", and want describes the kind of value that the path needs, as in "an array".
func NoWay(field, kind, want string) error {
	return fmt.Errorf("field %q leads into %s, not %s", field, kind, want)
}

// quoteNames quotes at most namesShown names and joins them with commas.
func quoteNames(names []string) string {
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
