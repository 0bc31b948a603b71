package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"mime"
	"mime/quotedprintable"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// A message is a mail to be written.
type message struct {
	from, to    string // to is "" for the list
	subject, id string
	date        time.Time
	fields      []string // further fields
	text        string   // plain text, or ""
	page        string   // HTML, or ""
	files       []file
	coding      coding
	boundary    string
	crlf        bool
	shuffled    bool // the fields are in another order
}

type file struct{ kind, data string }

// A coding is a charset and a transfer encoding.
type coding struct {
	charset  string
	enc      encoding.Encoding // nil for UTF-8
	transfer string
}

var codings = []coding{
	{"utf-8", nil, "8bit"}, {"utf-8", nil, "quoted-printable"}, {"utf-8", nil, "base64"},
	{"iso-8859-1", charmap.ISO8859_1, "8bit"}, {"iso-8859-1", charmap.ISO8859_1, "quoted-printable"}, {"ISO-8859-1", charmap.ISO8859_1, "BASE64 (MIME)"},
	{"windows-1252", charmap.Windows1252, "quoted-printable"}, {"cp437", charmap.CodePage437, "quoted-printable"}, {"macintosh", charmap.Macintosh, "base64"},
	{"utf-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "base64"}, {"utf-32", utf32.UTF32(utf32.BigEndian, utf32.UseBOM), "base64"},
	{"cp850", charmap.CodePage850, "base64"},
}

// letter returns a message of a new letter, by a person, with n words.
func (w *writer) letter(n int) message {
	w.number++
	return message{
		from: pick(w, people), subject: strings.TrimRight(w.words(3+w.IntN(4)), ".,;"),
		id:   fmt.Sprintf("<%d.%d@example.org>", w.number, w.Uint32()),
		date: time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(w.number)*time.Hour + time.Duration(w.IntN(3600))*time.Second),
		text: w.paragraphs(n, 72), coding: codings[0], boundary: fmt.Sprintf("=_%x", w.Uint64()),
	}
}

// again returns the message with a new Message-ID and a later date, as if it was sent again.
func (w *writer) again(m message) message {
	w.number++
	m.id = fmt.Sprintf("<%d.%d@example.org>", w.number, w.Uint32())
	m.date = m.date.Add(time.Duration(1+w.IntN(5000)) * time.Minute)
	return m
}

func (c coding) encode(text string) string {
	data := []byte(text)
	if c.enc != nil {
		data, _ = encoding.ReplaceUnsupported(c.enc.NewEncoder()).Bytes(data)
	}
	var out bytes.Buffer
	switch strings.ToLower(c.transfer)[:4] {
	case "base":
		code := base64.StdEncoding.EncodeToString(data)
		for len(code) > 72 {
			out.WriteString(code[:72] + "\n")
			code = code[72:]
		}
		out.WriteString(code + "\n")
	case "quot":
		q := quotedprintable.NewWriter(&out)
		q.Write(data)
		q.Close()
		return strings.ReplaceAll(out.String(), "\r\n", "\n")
	default:
		out.Write(data)
	}
	return out.String()
}

// part returns a part of text, or of a file, with its header.
func (c coding) part(kind, text string) string {
	return fmt.Sprintf("Content-Type: %s; charset=%s\nContent-Transfer-Encoding: %s\n\n%s", kind, c.charset, c.transfer, c.encode(text))
}

func (m message) body() string {
	var parts []string
	if m.text != "" {
		parts = append(parts, m.coding.part("text/plain", m.text))
	}
	if m.page != "" {
		parts = append(parts, m.coding.part("text/html", m.page))
	}
	join := func(kind, boundary string, parts []string) string {
		return fmt.Sprintf("Content-Type: multipart/%s; boundary=\"%s\"\n\nThis is a message in MIME format.\n\n--%s\n%s\n--%s--\n", kind, boundary, boundary, strings.Join(parts, "\n--"+boundary+"\n"), boundary)
	}
	body := ""
	switch len(parts) {
	case 1:
		body = parts[0]
	case 2:
		body = join("alternative", m.boundary+"a", parts)
	}
	if len(m.files) == 0 {
		return body
	}
	all := []string{body}
	if body == "" {
		all = nil
	}
	for _, f := range m.files {
		if f.kind == "message/rfc822" {
			all = append(all, "Content-Type: message/rfc822\n\n"+f.data)
			continue
		}
		all = append(all, fmt.Sprintf("Content-Type: %s\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n%s", f.kind, coding{transfer: "base64"}.encode(f.data)))
	}
	return join("mixed", m.boundary, all)
}

// String returns the message in the format of RFC 5322.
func (m message) String() string {
	from := m.from
	if !strings.Contains(from, "@") {
		from = fmt.Sprintf("%s <%s>", from, addressOf(from))
	}
	fields := []string{"From: " + from, "To: " + cmp.Or(m.to, "list@example.org"), "Subject: " + mime.QEncoding.Encode("utf-8", m.subject), "MIME-Version: 1.0"}
	if !m.date.IsZero() {
		fields = append(fields, "Date: "+m.date.Format(time.RFC1123Z))
	}
	if m.id != "" {
		fields = append(fields, "Message-ID: "+m.id)
	}
	fields = append(fields, m.fields...)
	if m.shuffled {
		for i, j := 0, len(fields)-1; i < j; i, j = i+1, j-1 {
			fields[i], fields[j] = fields[j], fields[i]
		}
	}
	text := strings.Join(fields, "\n") + "\n" + m.body()
	if m.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// htmlOf returns a text as HTML, one paragraph for each.
func htmlOf(text string) string {
	var out strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		out.WriteString("<p>" + html.EscapeString(paragraph) + "</p>\n")
	}
	return "<html><head><style>p {margin: 1em}</style></head><body>" + out.String() + "</body></html>\n"
}
