package mail

import (
	"bytes"
	"crypto/sha256"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Kind says what a [Line] contains.
type Kind uint8

const (
	Own    Kind = iota // text of the author
	Intro              // the line before a quote, such as "Alice wrote:"
	Quoted             // text of another message: quoted, or part of an attached message
	Target             // the target of a link or an image that the text does not show
)

// A Line is a line of the text that a mail reader shows, in UTF-8, or a target.
type Line struct {
	Kind Kind
	Text []byte
	// Source is what the line was made from: HTML with its tags, or plain text with the characters
	// that have no width, but without the marks of a quote. A line of HTML may have its source in a line
	// before or after it, and white space in it that counts is replaced; see [page.addSource].
	Source   []byte
	Quote    []byte // the marks of a quote in plain text, such as "> "
	Markup   Markup // of Source
	Attached bool   // it belongs to an attached message
}

// A Content is what a message says, without what its transport changes.
type Content struct {
	Header Header
	// Plain and Rich are the two forms of the text: the plain text and the HTML of each
	// multipart/alternative. They are the same if there is only one form.
	Plain, Rich []Line
	TwoForms    bool
	// Attached has the SHA-256 of each decoded attachment, in ascending order. Lines of attached
	// text and messages end in LF.
	Attached [][sha256.Size]byte
	// Rest is what else two messages with the same content have in common: the names and media types of
	// attachments, the header of attached messages, further alternatives of a text, and a digest of
	// each part that mail programs may read in different ways.
	Rest []string
}

// maxDepth is the maximum nesting of parts; deeper parts are treated as attachments.
const maxDepth = 32

// Read returns the content of a message. Text that is not shown is left out: hidden elements of
// HTML, and characters without width. Text in an unknown charset is left unchanged. A message
// without a header is plain text.
func Read(message []byte) *Content {
	header, body := Split(message)
	r := &reader{}
	r.part(newPart(header, body, "text/plain"), 0)
	c := &Content{Header: header, Plain: r.plain, Rich: r.rich, TwoForms: r.twoForms, Attached: r.attached, Rest: r.rest}
	if !r.twoForms {
		c.Rich = c.Plain
	}
	slices.SortFunc(c.Attached, func(a, b [sha256.Size]byte) int { return bytes.Compare(a[:], b[:]) })
	return c
}

// Main returns the form of the text that counts: the plain text unless the HTML has more than twice
// as many words.
func (c *Content) Main() []Line {
	if c.TwoForms && countWords(c.Rich) > 2*countWords(c.Plain) {
		return c.Rich
	}
	return c.Plain
}

func countWords(lines []Line) (n int) {
	for _, l := range lines {
		if l.Kind != Target {
			n += len(bytes.Fields(l.Text))
		}
	}
	return n
}

// A reader collects the content of a message.
type reader struct {
	plain, rich []Line
	twoForms    bool
	inside      bool // within an attached message, whose text counts as quoted
	attached    [][sha256.Size]byte
	rest        []string
	texts       int // number of texts so far, which is the place of an attachment
}

// addRest adds something that messages with the same content have in common.
func (r *reader) addRest(what string, values ...string) {
	r.rest = append(r.rest, what+"\x00"+strings.Join(values, "\x00"))
}

// add appends lines to the forms of the text.
func (r *reader) add(plain, rich []Line) {
	if r.inside {
		for _, lines := range [][]Line{plain, rich} {
			for i := range lines {
				lines[i].Attached = true
				if lines[i].Kind != Target {
					lines[i].Kind = Quoted
				}
			}
		}
	}
	r.plain, r.rich = append(r.plain, plain...), append(r.rich, rich...)
}

func (r *reader) attach(p part) {
	data := p.content()
	sum := sha256.Sum256(data)
	r.attached = append(r.attached, sum)
	if strings.HasPrefix(p.kind, "text/") && !utf8.Valid(data) {
		r.addRest("charset", strings.ToLower(p.params["charset"]))
	}
	r.addRest("attachment", strconv.Itoa(r.texts), strconv.FormatBool(p.attached), p.kind, p.fileName(), string(p.header.Get("Content-ID")), string(p.header.Get("Content-Location")), string(sum[:]))
}

// part adds the text of p that a mail reader shows, or p itself if it is an attachment.
func (r *reader) part(p part, depth int) {
	family, _, _ := strings.Cut(p.kind, "/")
	if doubt := p.doubt(family); doubt != "" {
		sum := sha256.Sum256(bytes.TrimSpace(endLinesInLF(p.body)))
		r.addRest(doubt, string(sum[:]), p.fields(contentFields...))
	}
	switch {
	case depth > maxDepth:
		r.attach(p)
	case p.isMultipart():
		if p.kind != "multipart/mixed" && p.kind != "multipart/alternative" {
			r.addRest(p.kind, p.params["start"], p.params["type"])
		}
		children, after := p.children()
		if after = bytes.TrimSpace(after); len(after) > 0 {
			r.addRest("after the last part", string(endLinesInLF(after)))
		}
		if p.kind == "multipart/alternative" {
			r.alternative(children, depth+1)
			r.texts++
			return
		}
		for _, child := range children {
			r.part(child, depth+1)
		}
	case p.attached:
		r.attach(p)
	case p.kind == "message/rfc822":
		r.message(p, depth)
	case p.hasLines():
		name := p.fileName()
		if p.kind != "text/plain" && p.kind != "text/html" {
			r.addRest("text", p.fields(contentFields...), p.digest())
		} else if name != "" { // a file that is shown: its lines matter
			r.addRest("text", name, p.digest())
		}
		if at := p.header.Get("Content-Location"); len(at) > 0 {
			r.addRest("location", string(at))
		}
		lines := p.lines()
		r.add(lines, slices.Clone(lines))
		r.texts++
	default:
		r.attach(p)
	}
}

// message adds the text of an attached message. Its subject is shown; the other fields are in Rest.
func (r *reader) message(p part, depth int) {
	text, _ := p.decode()
	header, body := Split(text)
	inside := r.inside
	r.inside = true
	subject := []Line{{Kind: Quoted, Text: stripUnseen(header.Subject()), Source: header.Subject()}}
	r.add(subject, slices.Clone(subject))
	for _, field := range []string{"From", "Sender", "Reply-To", "To", "Cc", "Resent-From", "Resent-To", "Resent-Cc", "Date", "Message-ID"} {
		for _, value := range header.Values(field) {
			r.addRest(field, string(decodeWords(value)))
		}
	}
	r.part(newPart(header, body, "text/plain"), depth+1)
	r.addRest("end of a message")
	r.inside = inside
}

// alternative adds the forms of a multipart/alternative: the first plain text that is not blank, and
// the last other form. Alternatives that are not text, such as calendars, are attachments.
func (r *reader) alternative(children []part, depth int) {
	forms := make([]reader, len(children))
	plain, rich := -1, -1
	for i, c := range children {
		f := &forms[i]
		f.inside = r.inside
		f.part(c, depth)
		r.attached = append(r.attached, f.attached...)
		r.rest = append(r.rest, f.rest...)
		switch {
		case countWords(f.plain) == 0 && !slices.ContainsFunc(f.plain, func(l Line) bool { return l.Kind == Target }):
		case c.kind == "text/plain" && plain < 0:
			plain = i
		case c.kind != "text/plain":
			rich = i
		}
	}
	for i := range forms {
		if i == plain || i == rich {
			continue
		}
		for _, l := range forms[i].rich {
			if source := bytes.TrimSpace(l.Source); len(source) > 0 {
				r.addRest("alternative", string(l.Quote), string(source))
			}
		}
	}
	switch {
	case plain < 0 && rich < 0:
		return
	case plain < 0:
		plain = rich
	case rich < 0:
		rich = plain
	}
	r.twoForms = r.twoForms || plain != rich || forms[rich].twoForms
	r.plain, r.rich = append(r.plain, forms[plain].plain...), append(r.rich, forms[rich].rich...)
}

// lines returns the lines of a text part.
func (p *part) lines() []Line {
	text, _ := p.decode()
	text = decodeCharset(text, p.params["charset"])
	if p.kind == "text/html" {
		lines := htmlLines(text)
		markQuotes(lines)
		return lines
	}
	flowed := strings.EqualFold(p.params["format"], "flowed")
	if flowed && strings.EqualFold(p.params["delsp"], "yes") {
		text = joinFlowed().ReplaceAll(text, nil)
	}
	var lines []Line
	for line := range bytes.Lines(text) {
		lines = append(lines, plainLine(bytes.TrimRight(line, "\r\n"), flowed))
	}
	markQuotes(lines)
	return lines
}

// joinFlowed matches the soft line breaks of text whose space before the break was added by
// the sender (DelSp=Yes of RFC 3676), outside of quotes.
var joinFlowed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \r?\n\b`) })

// quotePrefix matches the marks of quoted text: ">", "|", or the initials of the author and ">".
var quotePrefix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ ?(?:(?:[A-Za-z]{0,3}> ?)+|(?:\| ?)+)`) })

// plainLine returns a line of plain text. A line that begins with ">From " is not a quote, since
// mailboxes add one mark to lines that begin with "From " or with marks and "From ".
func plainLine(line []byte, flowed bool) Line {
	mark := quotePrefix().Find(line)
	if rest := bytes.TrimLeft(line, ">"); len(rest) < len(line) && bytes.HasPrefix(rest, from) {
		return Line{Text: stripUnseen(rest), Source: line[1:]}
	}
	if flowed && len(line) > 0 && line[0] == ' ' {
		return Line{Text: stripUnseen(line), Source: line[1:]}
	}
	if len(mark) == 0 {
		return Line{Text: stripUnseen(line), Source: line}
	}
	rest := line[len(mark):]
	return Line{Kind: Quoted, Text: stripUnseen(rest), Source: rest, Quote: mark}
}

// The two patterns are compiled when they are used first. Every tool is the same program, so each start
// would pay .2 ms for them.
var (
	// originalLine matches the lines that mail programs put before a message that is quoted without
	// marks: dashes around some words, or a line that says who forwarded the message.
	originalLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*(?:-{2,}\s*(?:original|forwarded|ursprüngliche|weitergeleitete|message|mensaje|messaggio|oorspronkelijk|doorgestuurd|oprindelig|videresendt|ursprungligt|wiadomość|mensagem|исходное|пересылаемое)\b?.*-{2,}|begin forwarded message:|anfang der weitergeleiteten nachricht:|-{3,}.*(?:転送|原始|元の).*-{3,})\s*$`)
	})
	// headerLine matches a field of a header that is shown at the start of a quoted message.
	headerLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*\*?(from|von|de|da|van|fra|från|от|发件人|差出人|sent|date|gesendet|datum|envoyé|fecha|enviado|inviato|data|verzonden|skickat|отправлено|发送时间|送信日時|to|an|à|para|a|aan|til|till|кому|收件人|宛先|subject|betreff|objet|asunto|oggetto|assunto|onderwerp|emne|ämne|тема|主题|件名)\*?\s?[:：]`)
	})
)

// isHeaderLine and isOriginalLine match the patterns only on lines that can match.
func isHeaderLine(text []byte) bool {
	return (bytes.IndexByte(text, ':') >= 0 || bytes.Contains(text, []byte("："))) && headerLine().Match(text)
}

func isOriginalLine(text []byte) bool {
	return (bytes.Contains(text, []byte("--")) || bytes.HasSuffix(bytes.TrimSpace(text), []byte(":"))) && originalLine().Match(text)
}

// markQuotes finds quoted text without marks, which follows a line such as "-----Original
// Message-----" or a header, and the lines that introduce quotes.
func markQuotes(lines []Line) {
	fields := 0 // number of consecutive header fields
	for i := range lines {
		l := &lines[i]
		if l.Kind == Target || len(bytes.TrimSpace(l.Text)) == 0 {
			continue
		}
		if isHeaderLine(l.Text) {
			fields++
		} else {
			fields = 0
		}
		if l.Kind == Own && (fields >= 3 || len(l.Text) < 200 && isOriginalLine(l.Text)) {
			start := i
			for back := i; fields >= 3 && back >= 0 && (lines[back].Kind == Target || len(bytes.TrimSpace(lines[back].Text)) == 0 || isHeaderLine(lines[back].Text)); back-- {
				start = back
			}
			for j := start; j < len(lines); j++ {
				if lines[j].Kind != Target {
					lines[j].Kind = Quoted
				}
			}
			break
		}
	}
	for i := range lines {
		if lines[i].Kind == Quoted && i > 0 && lines[i-1].Kind != Quoted {
			markIntro(lines[:i])
		}
	}
}

// markIntro marks the paragraph at the end of lines as the introduction of a quote, if it has at
// most three lines and ends with a colon.
func markIntro(lines []Line) {
	end := len(lines)
	for end > 0 && (lines[end-1].Kind == Target || len(bytes.TrimSpace(lines[end-1].Text)) == 0) {
		end--
	}
	if end == 0 || !bytes.HasSuffix(bytes.TrimSpace(lines[end-1].Text), []byte(":")) {
		return
	}
	start := end
	for start > 0 && end-start <= 3 && lines[start-1].Kind == Own && len(bytes.TrimSpace(lines[start-1].Text)) > 0 {
		start--
	}
	if end-start <= 3 {
		for i := start; i < end; i++ {
			lines[i].Kind = Intro
		}
	}
}

// stripUnseen removes the characters without width, which are not shown.
func stripUnseen(text []byte) []byte {
	if !bytes.ContainsFunc(text, isUnseen) {
		return text
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if !isUnseen(r) {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// isUnseen reports whether a character has no width and no shape of its own.
func isUnseen(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector)
}
