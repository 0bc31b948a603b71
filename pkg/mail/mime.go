package mail

import (
	"bytes"
	"mime"
	"strings"
)

// A part is a message, or one of the parts of a multipart message.
type part struct {
	kind     string // media type, in lower case
	params   map[string]string
	encoding string
	attached bool // whether the value of Content-Disposition is "attachment"
	body     []byte
}

// newPart returns a part with a given header and body. The argument usual is the media type if the
// header has none.
func newPart(header Header, body []byte, usual string) part {
	p := part{body: body}
	p.kind, p.params = mediaType(header.Get("Content-Type"))
	if p.kind == "" {
		p.kind = usual
	}
	encoding, _ := mediaType(header.Get("Content-Transfer-Encoding"))
	p.encoding = encoding
	disposition, _ := mediaType(header.Get("Content-Disposition"))
	p.attached = disposition == "attachment"
	return p
}

// mediaType parses a value such as "text/plain; charset=utf-8". A malformed value is read as far as
// possible: comments and empty parameters are left out, and a value without quotes may have any
// characters but semicolons and blanks.
func mediaType(value []byte) (string, map[string]string) {
	if kind, params, err := mime.ParseMediaType(string(value)); err == nil {
		return kind, params
	}
	fields := splitParams(string(value))
	kind := strings.ToLower(strings.TrimSpace(fields[0]))
	if words := strings.Fields(kind); len(words) > 0 {
		kind = words[0]
	}
	params := map[string]string{}
	for _, field := range fields[1:] {
		name, value, ok := strings.Cut(field, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if _, known := params[name]; ok && !known {
			params[name] = value
		}
	}
	return kind, params
}

// splitParams splits a value at its semicolons, and removes comments in parentheses. Neither have a
// meaning within quotes.
func splitParams(value string) []string {
	all := []string{""}
	quoted, depth := false, 0
	for i := range len(value) {
		b := value[i]
		switch {
		case b == '"' && depth == 0:
			quoted = !quoted
		case quoted:
		case b == '(' && (depth > 0 || i == 0 || strings.IndexByte(" \t;\"", value[i-1]) >= 0):
			depth++
			continue
		case b == ')' && depth > 0:
			depth--
			continue
		case b == ';' && depth == 0:
			all = append(all, "")
			continue
		}
		if depth == 0 {
			all[len(all)-1] += string(b)
		}
	}
	return all
}

func (p *part) isMultipart() bool {
	return strings.HasPrefix(p.kind, "multipart/") && p.params["boundary"] != ""
}

// children returns the parts of a multipart. If the body does not contain the boundary, children
// returns a single plain-text part with the whole body. Text before the first boundary and after
// the closing boundary belongs to no part.
func (p *part) children() []part {
	usual := "text/plain"
	if p.kind == "multipart/digest" {
		usual = "message/rfc822"
	}
	delimiter := []byte("--" + p.params["boundary"])
	var all []part
	add := func(text []byte) {
		header, body := Split(text)
		all = append(all, newPart(header, body, usual))
	}
	start := -1 // start of the current part; -1 before the first boundary
	closing := false
	for at := 0; at < len(p.body) && !closing; {
		n := lineLen(p.body[at:])
		rest, ok := bytes.CutPrefix(p.body[at:at+n], delimiter)
		rest, last := bytes.CutPrefix(rest, []byte("--"))
		if ok && len(bytes.TrimSpace(rest)) == 0 {
			if start >= 0 {
				// The line end before a boundary belongs to the boundary.
				add(bytes.TrimSuffix(bytes.TrimSuffix(p.body[start:at], newline), []byte("\r")))
			}
			start, closing = at+n, last
		}
		at += n
	}
	if start >= 0 && !closing {
		add(p.body[start:])
	}
	if all == nil {
		all = []part{{kind: "text/plain", body: p.body}}
	}
	return all
}
