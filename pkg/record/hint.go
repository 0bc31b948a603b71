package record

import (
	"errors"
	"fmt"
	"strings"
)

// A hinted error is followed by what may be done.
type hinted struct {
	error
	hint string
}

// Hint returns what may be done.
func (h *hinted) Hint() string { return h.hint }

func (h *hinted) Unwrap() error { return h.error }

func withHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// namesShown is how many names of fields a message has at most.
const namesShown = 12

// NoField returns the error of a record that lacks a field but has those names;
// the flag is the one that names another.
func NoField(field, flag string, names []string) error {
	err := fmt.Errorf("no field %q", field)
	if len(names) == 0 {
		return withHint(err, "the record has no fields")
	}
	if at := strings.IndexByte(field, '['); at > 0 {
		return withHint(err, "a path leads into objects, not into lists: jq makes a field, as in: jq -c '.text = .%s'", field)
	}
	for _, n := range names { // of which none is in an object: those are named by their members
		if strings.HasPrefix(field, n+".") {
			err = fmt.Errorf("no field %q, since %q is no object", field, n)
		}
	}
	return withHint(err, "there are %s; %s names the one to take", list(names), flag)
}

// List is the kind of a field that is a list of Parquet.
const List = "an array of Parquet"

// NoText returns the error of a field that is an object with these members, an array,
// a list of Parquet or null.
func NoText(field, kind string, members []string) error {
	err := fmt.Errorf("field %q is %s, not a string", field, strings.TrimSuffix(kind, " of Parquet"))
	switch {
	case len(members) > 0:
		return withHint(err, "in it there are %s, as in %s.%s", list(members), field, members[0])
	case kind == "an array":
		return withHint(err, `jq makes a text of an array, as in: jq -c '.text = (.%s | tostring)'`, field)
	case kind == List:
		return withHint(err, `jq makes a text of an array, as in: reccat --to jsonl FILE | jq -c '.text = (.%s | tostring)'`, field)
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

// noField returns that error, with the flag by which the field was named.
func (p *paths) noField(field string, names []string) error {
	flag := p.flag
	if p.idSlot >= 0 && field == p.id {
		flag = "--id"
	}
	return NoField(field, flag, names)
}

// placed says where a record begins that is too long.
func placed(err error, name string, line int64) error {
	var long *longError
	if errors.As(err, &long) {
		return withHint(&SyntaxError{name, line, err}, "--max-record sets how long a record may be")
	}
	return err
}

// A longError is of a record that is longer than one may be.
type longError struct{ most int64 }

func (e *longError) Error() string { return fmt.Sprintf("a record of more than %d bytes", e.most) }
