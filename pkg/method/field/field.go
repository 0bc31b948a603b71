// Package field writes the signed fields of a record into a scheme, so that signatures of
// titles never match signatures of texts:
//
//	minhash/h2/w3/128x16/s1/balanced/field=title,meta.note
//
// It is the last part of a scheme, omitted if the text is the field "text", or a whole line or
// file. Before it may be the path of the value within or across which records are compared, as
// in /within=lang. In a path, characters that could be taken for another part of the scheme, or
// that are not printed, are written %XX.
package field

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/record"
)

// usual is the field of a scheme that names no field.
const usual = "text"

const (
	mark   = "/field="
	within = "/within="
	across = "/across="
)

// Part returns the part of a scheme that names the fields selected by read options, or "".
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

// Cut splits a scheme before the output of Part, if it has one. A part that Part would write
// differently is an error.
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
		return scheme, "", fmt.Errorf("invalid scheme %q: want its fields as %q", scheme, again)
	}
	return rest, part, nil
}

// Across reports whether signatures of a scheme have values, and only different values are
// compared.
func Across(scheme string) bool { return strings.Contains(scheme, across) }

// Within reports whether signatures of a scheme have values, and only equal values are
// compared.
func Within(scheme string) bool { return strings.Contains(scheme, within) }

// Swap returns a scheme with other fields.
func Swap(scheme string, fields []string) string {
	before, _, _ := strings.Cut(scheme, mark)
	return before + Part(record.Options{Fields: fields})
}

// plain are the characters of a path that are not escaped.
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

// unescape reverses escape; it does not report invalid input.
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
