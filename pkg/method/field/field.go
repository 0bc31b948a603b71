// Package field writes into a scheme which fields of a record were signed, so
// that signatures of titles and of texts never meet:
//
//	minhash/h2/w3/128x16/s1/balanced/field=title,meta.note
//
// It is the last part of a scheme, and is not there where the text is the field
// "text", or a whole line or file. In a path, what could be taken for another part
// of the scheme, or is not printed, is %XX.
package field

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"doppel/pkg/record"
)

// Text is the field of a scheme that names none.
const Text = "text"

const mark = "/field="

// Part returns the part of a scheme that names the fields of records that are
// read so, or "".
func Part(o record.Options) string {
	if o.Lines || o.Names || slices.Equal(o.Fields, []string{Text}) {
		return ""
	}
	paths := make([]string, len(o.Fields))
	for i, path := range o.Fields {
		paths[i] = url.PathEscape(path)
	}
	return mark + strings.Join(paths, ",")
}

// Cut parts a scheme before what Part wrote, if it did. A part that it would have
// written otherwise is an error.
func Cut(scheme string) (rest, part string, err error) {
	at := strings.Index(scheme, mark)
	if at < 0 {
		return scheme, "", nil
	}
	rest, part = scheme[:at], scheme[at:]
	fields := strings.Split(part[len(mark):], ",")
	for i := range fields {
		if fields[i], err = url.PathUnescape(fields[i]); err != nil {
			return scheme, "", fmt.Errorf("scheme %q: %w", scheme, err)
		}
	}
	if again := Part(record.Options{Fields: fields}); again != part {
		return scheme, "", fmt.Errorf("scheme %q: its fields would be written %q", scheme, again)
	}
	return rest, part, nil
}
