// Package field writes into a scheme which fields of a record were signed, so
// that signatures of titles and of texts never meet:
//
//	minhash/h2/w3/128x16/s1/balanced/field=title,meta.note
//
// It is the last part of a scheme, and is not there where the text is the field
// "text", or a whole line or file. Before it is the path of the value by which records are
// compared only within or across, as in /within=lang. In a path, what could be taken for
// another part of the scheme, or is not printed, is %XX.
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

const (
	mark   = "/field="
	within = "/within="
	across = "/across="
)

// Part returns the part of a scheme that names the fields of records that are
// read so, or "".
func Part(o record.Options) string {
	part := ""
	switch {
	case o.Within != "":
		part = within + escape(o.Within)
	case o.Across != "":
		part = across + escape(o.Across)
	}
	if o.Lines || o.Names || slices.Equal(o.Fields, []string{usual}) {
		return part
	}
	paths := make([]string, len(o.Fields))
	for i, path := range o.Fields {
		paths[i] = escape(path)
	}
	return part + mark + strings.Join(paths, ",")
}

// Cut parts a scheme before what Part wrote, if it did. A part that it would have
// written otherwise is an error.
func Cut(scheme string) (rest, part string, err error) {
	rest, named, fields := strings.Cut(scheme, mark)
	o := record.Options{Fields: []string{usual}}
	if fields {
		o.Fields = strings.Split(named, ",")
		for i, path := range o.Fields {
			o.Fields[i] = unescape(path)
		}
	}
	if before, path, found := strings.Cut(rest, within); found {
		rest, o.Within = before, unescape(path)
	} else if before, path, found := strings.Cut(rest, across); found {
		rest, o.Across = before, unescape(path)
	}
	part = scheme[len(rest):]
	if again := Part(o); again != part {
		return scheme, "", fmt.Errorf("scheme %q: its fields would be written %q", scheme, again)
	}
	return rest, part, nil
}

// Across reports whether signatures of a scheme have values, and only those with different
// ones are compared.
func Across(scheme string) bool { return strings.Contains(scheme, across) }

// Within reports whether only records with equal values are compared, by signatures of a scheme.
func Within(scheme string) bool { return strings.Contains(scheme, within) }

// Swap returns a scheme with other fields.
func Swap(scheme string, fields []string) string {
	before, _, _ := strings.Cut(scheme, mark)
	return before + Part(record.Options{Fields: fields})
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
