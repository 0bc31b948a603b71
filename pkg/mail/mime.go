package mail

import (
	"bytes"
	"crypto/sha256"
	"mime"
	"strings"
	"unicode/utf8"
)

// A part is a message, or one of the parts of a multipart message.
type part struct {
	kind     string // media type, in lower case
	params   map[string]string
	encoding string
	attached bool // whether the value of Content-Disposition is "attachment"
	header   Header
	body     []byte

	decoded            []byte // body without its transfer encoding
	isDecoded, isWhole bool   // decoded is known, and is all of the body
}

// newPart returns a part with a given header and body. The argument usual is the media type if the
// header has none.
func newPart(header Header, body []byte, usual string) part {
	p := part{header: header, body: body}
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

// isAmbiguous reports whether a media type has no subtype, or two values of one parameter.
func isAmbiguous(value []byte) bool {
	if _, _, err := mime.ParseMediaType(string(value)); err == nil || len(value) == 0 {
		return false
	}
	fields := splitParams(string(value))
	values := map[string]string{}
	for _, field := range fields[1:] {
		name, value, _ := strings.Cut(field, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if old, known := values[name]; known && old != value {
			return true
		}
		values[name] = value
	}
	return !strings.Contains(fields[0], "/")
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

// children returns the parts of a multipart, and the text after the closing boundary. If the body
// does not contain the boundary, children returns a single plain-text part with the whole body. Text
// before the first boundary and after the closing boundary belongs to no part.
func (p *part) children() (all []part, after []byte) {
	usual := "text/plain"
	if p.kind == "multipart/digest" {
		usual = "message/rfc822"
	}
	delimiter := []byte("--" + p.params["boundary"])
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
		if closing {
			after = p.body[at:]
		}
	}
	if start >= 0 && !closing {
		add(p.body[start:])
	}
	if all == nil {
		all = []part{{kind: "text/plain", body: p.body}}
	}
	return all, after
}

// nameParams lists the fields and parameters that name a file.
var nameParams = [][2]string{{"Content-Disposition", "filename"}, {"Content-Type", "name"}}

// fileName returns the name of an attachment, or "". If mail programs may read the name in different
// ways, fileName returns the fields that contain it.
func (p *part) fileName() string {
	name := ""
	for _, param := range nameParams {
		field := string(p.header.Get(param[0]))
		mentions := strings.Count(strings.ToLower(field), param[1])
		if mentions == 0 {
			continue
		}
		_, params, err := mime.ParseMediaType(field)
		found := params[param[1]]
		extended := strings.Count(strings.ToLower(field), param[1]+"*")
		switch {
		case err != nil, found == "", extended > 0 && extended < mentions, name != "" && name != found,
			strings.Contains(field, `\`), strings.Contains(found, "=?"), !utf8.ValidString(found), strings.ContainsRune(found, utf8.RuneError):
			return p.fields("Content-Disposition", "Content-Type")
		}
		name = found
	}
	return name
}

// content returns the decoded body. Lines of text and of messages end in LF.
func (p *part) content() []byte {
	data, ok := p.decode()
	if !ok {
		data = p.body
	}
	if p.hasLines() {
		data = bytes.TrimRight(endLinesInLF(data), "\n")
	}
	return data
}

// hasLines reports whether the part is text, so that transport may change the ends of its lines.
func (p *part) hasLines() bool {
	family, _, _ := strings.Cut(p.kind, "/")
	return family == "text" || family == "message" || family == "multipart"
}

func endLinesInLF(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), newline) }

// digest returns the SHA-256 of the content.
func (p *part) digest() string {
	sum := sha256.Sum256(p.content())
	return string(sum[:])
}

// contentFields lists the fields of a part that say how to read its body.
var contentFields = []string{"Content-Type", "Content-Transfer-Encoding", "Content-Disposition"}

// fields returns the values of some fields.
func (p *part) fields(names ...string) string {
	var all [][]byte
	for _, name := range names {
		all = append(all, bytes.Join(p.header.Values(name), []byte("\x00")))
	}
	return string(bytes.Join(all, newline))
}

// doubt says why mail programs may read the part in different ways, or returns "".
func (p *part) doubt(family string) string {
	for _, name := range contentFields {
		if len(p.header.Values(name)) > 1 {
			return "two fields of one name"
		}
	}
	if isAmbiguous(p.header.Get("Content-Type")) {
		return "an ambiguous media type"
	}
	switch p.encoding {
	case "", "7bit", "8bit", "binary":
	case "base64", "quoted-printable":
		if family == "multipart" {
			return "an encoded multipart"
		}
	default:
		return "an unknown encoding"
	}
	if family == "multipart" {
		if p.params["boundary"] == "" || !bytes.Contains(p.body, []byte("--"+p.params["boundary"])) {
			return "no boundary"
		}
		return ""
	}
	text, ok := p.decode()
	if !ok {
		return "a malformed encoding"
	}
	if family == "text" && !p.attached && !isCertain(text, p.params["charset"]) {
		return "an uncertain charset"
	}
	return ""
}
