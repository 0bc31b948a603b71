// Package field encodes the names of the signed fields in a scheme, so that signatures of
// titles, for example, are never compared with signatures of texts:
//
//	minhash/h2/w3/128x16/s1/balanced/field=title,meta.note
//
// The list of fields is the last part of a scheme. It is omitted if the only field is "text", or if
// the text is a whole line or file. Before the list, /within=lang means that only records with
// equal values of the field lang are compared, and /across=lang that only records with different
// values are compared. In the names of fields, each byte is written as %XX unless it is an ASCII
// letter, a digit or one of the characters "_-.[]".
package field

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/record"
)

// usual is the field that is signed if a scheme names no field.
const usual = "text"

const (
	mark   = "/field="
	within = "/within="
	across = "/across="
)

// Part returns the last part of a scheme: the field whose values are compared, if any, and the list
// of signed fields, unless the list is omitted.
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
	return part + mark + Join(o.Fields)
}

// Join returns a list of fields as one word, as in a scheme.
func Join(fields []string) string {
	paths := make([]string, len(fields))
	for i, path := range fields {
		paths[i] = escape(path)
	}
	return strings.Join(paths, ",")
}

// Split returns the fields that Join has joined. An empty word has none.
func Split(word string) []string {
	if word == "" {
		return nil
	}
	fields := strings.Split(word, ",")
	for i, path := range fields {
		fields[i] = unescape(path)
	}
	return fields
}

// Cut splits a scheme before the part that the function Part wrote, which may be empty. It returns
// an error if that part is not exactly as Part writes it.
func Cut(scheme string) (rest, part string, err error) {
	rest, named, fields := strings.Cut(scheme, mark)
	o := record.Options{Fields: []string{usual}}
	if fields {
		if o.Fields = Split(named); named == "" {
			o.Fields = []string{""}
		}
	}
	if before, path, found := strings.Cut(rest, within); found {
		rest, o.Within = before, unescape(path)
	} else if before, path, found := strings.Cut(rest, across); found {
		rest, o.Across = before, unescape(path)
	}
	part = scheme[len(rest):]
	if again := Part(o); again != part {
		return scheme, "", fmt.Errorf("invalid scheme %q: want the fields written as %q", scheme, again)
	}
	return rest, part, nil
}

// Across reports whether signatures of a scheme are compared only if their records have different
// values of some field.
func Across(scheme string) bool { return strings.Contains(scheme, across) }

// Within reports whether signatures of a scheme are compared only if their records have equal
// values of some field.
func Within(scheme string) bool { return strings.Contains(scheme, within) }

// WithinOf returns the field whose values must be equal, according to the part of a scheme that Part
// wrote, or "".
func WithinOf(part string) string {
	rest, _, _ := strings.Cut(part, mark)
	path, _ := strings.CutPrefix(rest, within)
	if path == rest {
		return ""
	}
	return unescape(path)
}

// Swap replaces the list of fields in a scheme with another list, and returns the new scheme.
func Swap(scheme string, fields []string) string {
	before, _, _ := strings.Cut(scheme, mark)
	return before + Part(record.Options{Fields: fields})
}

// plain contains the characters that are not escaped in a path.
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

// unescape is the inverse of escape. It leaves invalid escape sequences unchanged.
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
