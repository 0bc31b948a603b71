package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"slices"
	"strings"
)

// Attachments says how to treat parts that a mail reader does not show.
type Attachments int

const (
	// Skip leaves attachments out.
	Skip Attachments = iota
	// Hash represents all attachments by a single hash: the SHA-256 of the concatenated SHA-256
	// hashes of the decoded attachments. It is written as sixteen words of four hexadecimal digits.
	// The words are appended to the text once, and once more for every full 256 bytes of text, so
	// that they have the same weight in long and short texts.
	Hash
)

// maxDepth is the maximum nesting of parts; deeper parts are treated as attachments.
const maxDepth = 32

// Text returns the text of a message that a mail reader shows: its subject and its text
// parts, decoded from their transfer encodings and charsets to UTF-8. In a
// multipart/alternative it uses the first plain text that is not blank, otherwise the last
// part. HTML is reduced to its text. A message without a header is plain text. Text in an
// unknown charset is left unchanged.
func Text(message []byte, attachments Attachments) []byte {
	var t texter
	t.message(message, 0)
	if attachments == Skip || len(t.attached) == 0 {
		return t.out
	}
	all := sha256.New()
	for _, p := range t.attached {
		sum := sha256.Sum256(p.decoded())
		all.Write(sum[:])
	}
	digits := hex.AppendEncode(nil, all.Sum(nil))
	for range 1 + len(t.out)/256 {
		for at := 0; at < len(digits); at += 4 {
			t.line(digits[at : at+4])
		}
	}
	return t.out
}

type texter struct {
	out      []byte
	attached []part
}

func (t *texter) message(message []byte, depth int) {
	header, body := Split(message)
	t.line(decodeWords(header.Get("Subject")))
	t.part(newPart(header, body), depth)
}

func (t *texter) line(text []byte) {
	t.out = append(append(t.out, text...), '\n')
}

// A part is a message, or one of the parts of a multipart message.
type part struct {
	kind     string // media type, in lower case
	params   map[string]string
	encoding string
	attached bool // whether the value of Content-Disposition is "attachment"
	body     []byte
}

func newPart(header Header, body []byte) part {
	p := part{body: body}
	p.kind, p.params = mediaType(header.Get("Content-Type"))
	if p.kind == "" {
		p.kind = "text/plain"
	}
	p.encoding = strings.ToLower(string(header.Get("Content-Transfer-Encoding")))
	disposition, _ := mediaType(header.Get("Content-Disposition"))
	p.attached = disposition == "attachment"
	return p
}

// mediaType parses a value such as "text/plain; charset=utf-8". For a malformed value it returns
// the text before the first semicolon, in lower case, and no parameters.
func mediaType(value []byte) (string, map[string]string) {
	kind, params, err := mime.ParseMediaType(string(value))
	if err != nil {
		kind, _, _ = strings.Cut(string(value), ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind, params
}

func (p *part) isMultipart() bool {
	return strings.HasPrefix(p.kind, "multipart/") && p.params["boundary"] != ""
}

// part adds to t the text of p that a mail reader shows, or p itself if it is an attachment.
func (t *texter) part(p part, depth int) {
	switch family, _, _ := strings.Cut(p.kind, "/"); {
	case depth > maxDepth:
		t.attached = append(t.attached, p)
	case p.kind == "multipart/alternative" && p.isMultipart():
		children := p.children()
		at := slices.IndexFunc(children, func(c part) bool {
			return c.kind == "text/plain" && !c.attached && len(bytes.TrimSpace(c.decoded())) > 0
		})
		if at < 0 {
			at = len(children) - 1
		}
		t.part(children[at], depth+1)
	case p.isMultipart():
		for _, child := range p.children() {
			t.part(child, depth+1)
		}
	case p.attached:
		t.attached = append(t.attached, p)
	case p.kind == "message/rfc822":
		t.message(p.decoded(), depth+1)
	case family == "text" || family == "message" || family == "multipart":
		text := p.decoded()
		if d := decoder(p.params["charset"]); d != nil {
			if decoded, err := d.Bytes(text); err == nil {
				text = decoded
			}
		}
		if p.kind == "text/html" {
			text = htmlText(text)
		}
		t.line(text)
	default:
		t.attached = append(t.attached, p)
	}
}

// children returns the parts of a multipart. If the body does not contain the boundary, children
// returns a single plain-text part with the whole body. Text before the first boundary and after
// the closing boundary belongs to no part.
func (p *part) children() []part {
	delimiter := []byte("--" + p.params["boundary"])
	var all []part
	start := -1 // start of the current part; -1 before the first boundary
	closing := false
	for at := 0; at < len(p.body) && !closing; {
		n := lineLen(p.body[at:])
		rest, ok := bytes.CutPrefix(p.body[at:at+n], delimiter)
		rest, last := bytes.CutPrefix(rest, []byte("--"))
		if ok && len(bytes.TrimSpace(rest)) == 0 {
			if start >= 0 {
				all = append(all, newPart(Split(p.body[start:at])))
			}
			start, closing = at+n, last
		}
		at += n
	}
	if start >= 0 && !closing {
		all = append(all, newPart(Split(p.body[start:])))
	}
	if all == nil {
		all = []part{{kind: "text/plain", body: p.body}}
	}
	return all
}
