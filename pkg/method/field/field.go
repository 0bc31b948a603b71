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
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/record"
)

// usual is the field of a scheme that names none.
const usual = "text"

const mark = "/field="

// Part returns the part of a scheme that names the fields of records that are
// read so, or "".
func Part(o record.Options) string {
	if o.Lines || o.Names || slices.Equal(o.Fields, []string{usual}) {
		return ""
	}
	paths := make([]string, len(o.Fields))
	for i, path := range o.Fields {
		paths[i] = escape(path)
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
		fields[i] = unescape(fields[i])
	}
	if again := Part(record.Options{Fields: fields}); again != part {
		return scheme, "", fmt.Errorf("scheme %q: its fields would be written %q", scheme, again)
	}
	return rest, part, nil
}

// plain are the characters of a path that stand for themselves.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]"

func escape(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if strings.IndexByte(plain, path[i]) >= 0 {
			b.WriteByte(path[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", path[i])
		}
	}
	return b.String()
}

// unescape undoes escape; of what that did not write it makes something else.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if code, err := strconv.ParseUint(text[i+1:min(i+3, len(text))], 16, 8); c == '%' && err == nil {
			c, i = byte(code), i+2
		}
		b.WriteByte(c)
	}
	return b.String()
}
