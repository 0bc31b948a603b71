package same

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"regexp"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"doppel/pkg/mail"
)

// A tokenKind is what a token is, and whether it is quoted, is from the source of HTML, or follows
// the one before without white space.
type tokenKind byte

const (
	word tokenKind = iota
	mark           // a punctuation mark or symbol
	target
	layout // white space that arranges text
	quotes // the marks of the quoted lines that follow

	source tokenKind = 1 << 5
	quoted tokenKind = 1 << 6
	glued  tokenKind = 1 << 7
)

func appendToken(dst []byte, kind tokenKind, text []byte) []byte {
	dst = append(dst, byte(kind))
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

// unseen lists the characters that are never shown, whatever surrounds them.
const unseen = "\u00ad\u034f\u200b\u2060\ufeff"

// eachToken calls fn for each word and each other visible character of a text. A word is a run of
// letters, marks and digits. White space only separates tokens.
func eachToken(text []byte, fn func(token []byte, isWord, glued bool)) {
	if !isASCII(text) {
		if bytes.ContainsAny(text, unseen) {
			text = bytes.Map(func(r rune) rune {
				if slices.Contains([]rune(unseen), r) {
					return -1
				}
				return r
			}, text)
		}
		text = norm.NFC.Bytes(text)
	}
	start, follows := -1, false
	end := func(at int) {
		if start >= 0 {
			fn(text[start:at], true, follows)
			follows = true
		}
		start = -1
	}
	for at := 0; at < len(text); {
		r, n := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[at:])
		}
		switch {
		case isLetter(r) || r == utf8.RuneError && n == 1:
			if start < 0 {
				start = at
			}
		case unicode.IsSpace(r):
			end(at)
			follows = false
		default:
			end(at)
			fn(text[at:at+n], false, follows)
			follows = true
		}
		at += n
	}
	end(len(text))
}

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

func countWords(text []byte) (words int) {
	eachToken(text, func(_ []byte, isWord, _ bool) {
		if isWord {
			words++
		}
	})
	return words
}

func appendText(dst, text []byte, flags tokenKind) []byte {
	dst, _ = appendWords(dst, text, flags)
	return dst
}

// appendWords appends the tokens of a text, and returns the number of its words.
func appendWords(dst, text []byte, flags tokenKind) (out []byte, words int) {
	eachToken(text, func(token []byte, isWord, follows bool) {
		kind := flags | mark
		if isWord {
			kind = flags // word is 0
			words++
		}
		if follows {
			kind |= glued
		}
		dst = appendToken(dst, kind, token)
	})
	return dst, words
}

// gap matches white space within or before the text of a line that arranges it, as in a table.
var gap = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\S)(^\p{Zs}+|\p{Zs}{2,}|\p{Zs}*\t[\t\p{Zs}]*)\S`)
})

// hasGap reports whether gap may match a line.
func hasGap(line []byte) bool {
	return len(line) > 0 && line[0] == ' ' || bytes.Contains(line, []byte("  ")) || bytes.IndexByte(line, '\t') >= 0 || !isASCII(line)
}

// appendPlain appends the tokens of a line of plain text. White space that arranges the text is a
// token, except for two blanks after a sentence.
func appendPlain(dst, line []byte, flags tokenKind) []byte {
	var at []int
	if hasGap(line) {
		at = gap().FindSubmatchIndex(line)
	}
	for ; at != nil; at = gap().FindSubmatchIndex(line) {
		dst = appendText(dst, line[:at[2]], flags)
		if space := line[at[2]:at[3]]; string(space) != "  " || at[2] == 0 || bytes.IndexByte([]byte(".!?:"), line[at[2]-1]) < 0 {
			dst = appendToken(dst, flags|layout, space)
		}
		line = line[at[3]:]
	}
	return appendText(dst, line, flags)
}

// An encoder encodes the lines of a form.
type encoder struct {
	full, words, looks, simple []byte
	uncertain                  bool   // what is shown is not certain
	quote                      []byte // the marks of the last line that is not blank
}

// add adds a line, and returns its number of words.
func (e *encoder) add(l *mail.Line) (words int) {
	var flags tokenKind
	if l.Kind == mail.Quoted {
		flags = quoted
	}
	if l.Kind == mail.Target {
		e.looks = appendToken(e.looks, target, l.Text)
		e.simple = append(appendText(append(e.simple, '<'), l.Text, flags), '>')
		return 0
	}
	e.uncertain = e.uncertain || l.Markup.Look > mail.Simple
	start := len(e.words)
	e.words, words = appendWords(e.words, l.Text, flags)
	text := e.words[start:]
	e.looks = append(e.looks, text...)
	if l.Markup.Look != mail.Unmarked {
		e.addHTML(l, text, flags)
		return words
	}
	if len(bytes.TrimSpace(l.Source)) == 0 {
		return words
	}
	if len(l.Quote) > 0 || len(e.quote) > 0 {
		if marks := bytes.ReplaceAll(l.Quote, []byte(" "), nil); !bytes.Equal(marks, e.quote) {
			e.full = appendToken(e.full, quotes, marks)
			e.uncertain = e.uncertain || len(marks) > 1
			e.quote = marks
		}
	}
	start = len(e.full)
	if hasGap(l.Source) || len(l.Source) != len(l.Text) {
		e.full = appendPlain(e.full, l.Source, flags)
	} else {
		e.full = append(e.full, text...)
	}
	e.simple = append(e.simple, e.full[start:]...)
	return words
}

// addHTML adds a line of HTML, whose text has been encoded with some flags.
func (e *encoder) addHTML(l *mail.Line, text []byte, flags tokenKind) {
	if l.Markup.Spaced {
		e.full = appendToken(e.full, flags|source|layout, bytes.ReplaceAll(l.Source, []byte("\r\n"), []byte("\n")))
	} else {
		e.full = appendText(e.full, l.Source, flags|source)
	}
	if hasGap(l.Text) {
		// White space of ASCII is one blank, and one that is not ASCII is shown like a blank.
		shown := bytes.Join(bytes.FieldsFunc(l.Text, isBlank), []byte(" "))
		e.simple = appendPlain(e.simple, bytes.ReplaceAll(shown, []byte("\u00a0"), []byte(" ")), flags)
	} else {
		e.simple = append(e.simple, text...)
	}
}

func isBlank(r rune) bool { return r < utf8.RuneSelf && unicode.IsSpace(r) }

// maxHeads is the maximum number of blocks at the start of a message that are tried, because each
// takes a pass over the text, and maxHeadText the maximum length of a text for which they are tried.
const (
	maxHeads    = 40
	maxHeadText = 1 << 20
)

// rule matches a line that separates a block from the text: dashes, underscores and the like, or the
// line before a signature.
var rule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:_{5,}|[=*~#-]{5,}|-- ?)\s*$`) })

// isRule matches rule only against lines that can match.
func isRule(text []byte) bool {
	start := bytes.TrimSpace(text)
	return len(start) > 0 && bytes.IndexByte([]byte("_=*~#-"), start[0]) >= 0 && rule().Match(text)
}

// newForm returns the hashes of a text, and those of the text without each block of whole lines, of
// at most block words, at its start or end.
func newForm(lines []mail.Line, block int) (f rendering) {
	size := 0
	for i := range lines {
		size += len(lines[i].Text) + len(lines[i].Source)
	}
	var e encoder
	for _, buf := range []*[]byte{&e.full, &e.words, &e.looks, &e.simple} {
		*buf = make([]byte, 0, size) // a token adds two bytes, and its line has white space for one
	}
	starts := make([]int, len(lines)+1) // of each line in e.full
	before := make([]int, len(lines)+1) // number of words before each line
	outside := make([]bool, len(lines)) // the lines before end outside of a quote
	for i := range lines {
		starts[i], outside[i] = len(e.full), len(e.quote) == 0
		before[i+1] = before[i] + e.add(&lines[i])
		f.html = f.html || lines[i].Markup.Look != mail.Unmarked
	}
	starts[len(lines)] = len(e.full)
	f.full, f.words = digest(e.full), digest(e.words)
	if f.looks = f.words; len(e.looks) > len(e.words) {
		f.looks = digest(e.looks)
	}
	if !e.uncertain {
		f.simple = digest(e.simple)
	}
	f.addEnds(lines, e.full, starts, before, block)
	if len(e.full) <= maxHeadText {
		f.addStarts(lines, e.full, starts, before, outside, block)
	}
	return f
}

func digest(text []byte) Digest {
	sum := sha256.Sum256(text)
	return Digest(sum[:16])
}

// A nesting sums up the tags of the lines of a block.
type nesting struct{ depth, lowest int }

// isClosed reports whether the block closes all elements that it opens, and no others.
func (n nesting) isClosed() bool { return n.depth == 0 && n.lowest == 0 }

// canStart reports whether a block, or the text after it, can start with a line.
func canStart(l *mail.Line) bool {
	return l.Kind != mail.Target && !l.Markup.Inside && len(bytes.TrimSpace(l.Source)) > 0
}

// addEnds adds the text without each block at its end.
func (f *rendering) addEnds(lines []mail.Line, encoded []byte, starts, before []int, block int) {
	var n nesting
	total := before[len(lines)]
	var at []int
	for i := len(lines) - 1; i > 0 && total-before[i] <= block && lines[i].Markup.Look < mail.Global && !lines[i].Attached; i-- {
		m := lines[i].Markup
		n = nesting{n.depth + m.Depth, min(m.Lowest, n.lowest+m.Depth)}
		if canStart(&lines[i]) && n.isClosed() && starts[i] > 0 {
			at = append(at, i)
		}
	}
	all, done := sha256.New(), 0
	for _, i := range slices.Backward(at) {
		all.Write(encoded[done:starts[i]])
		done = starts[i]
		f.cuts = append(f.cuts, cut{truncate(all), total - before[i], true, setsOff(&lines[i])})
	}
}

func setsOff(l *mail.Line) bool {
	return isRule(l.Text) || bytes.HasPrefix(l.Source, []byte("<hr"))
}

// addStarts adds the text without each block at its start.
func (f *rendering) addStarts(lines []mail.Line, encoded []byte, starts, before []int, outside []bool, block int) {
	var n nesting
	off := false // the last line of the block that is not blank separates the block
	heads := 0
	for i := 0; i < len(lines) && before[i] <= block && heads < maxHeads; i++ {
		l := &lines[i]
		if i > 0 && canStart(l) && n.isClosed() && outside[i] && starts[i] > 0 {
			f.cuts = append(f.cuts, cut{digest(encoded[starts[i]:]), before[i], false, off})
			heads++
		}
		if l.Markup.Look == mail.Global || l.Attached {
			return
		}
		n = nesting{n.depth + l.Markup.Depth, min(n.lowest, n.depth+l.Markup.Lowest)}
		if len(bytes.TrimSpace(l.Text)) > 0 {
			off = setsOff(l)
		}
	}
}

// notices lists words of the notices and footers that programs add to mails.
var notices = [][]byte{
	[]byte("confidential"), []byte("intended only"), []byte("intended solely"), []byte("intended for"), []byte("disclaimer"), []byte("unsubscribe"), []byte("recipient"),
	[]byte("subscribed"), []byte("caution"), []byte("external"), []byte("privileged"), []byte("vertraulich"), []byte("empfänger"), []byte("confidentiel"),
	[]byte("destinataire"), []byte("confidencial"), []byte("destinatario"), []byte("riservat"), []byte("vertrouwelijk"),
}

func isNotice(text []byte) bool {
	text = bytes.ToLower(text)
	return slices.ContainsFunc(notices, func(words []byte) bool { return bytes.Contains(text, words) })
}

// hasFewWords reports whether a text has fewer than the given numbers of words that are not quoted,
// in all or in the first paragraph after the salutation, or few different words. Signatures, what
// follows a line of dashes, and paragraphs that look like notices do not count. It also returns the
// hashes of the paragraphs that count.
func hasFewWords(lines []mail.Line, few, least int) (isFew bool, paragraphHashes []uint64) {
	all, first, paragraphs := 0, 0, 0
	different := map[string]bool{}
	end := func(text []byte) {
		words := countWords(text)
		if words == 0 || paragraphs == 0 && words <= 6 && bytes.HasSuffix(bytes.TrimSpace(text), []byte(",")) || isNotice(text) {
			return
		}
		if all += words; paragraphs == 0 {
			first = words
		}
		paragraphs++
		sum := sha256.New()
		eachToken(text, func(token []byte, isWord, _ bool) {
			if isWord {
				different[string(token)] = true
				sum.Write(token)
				sum.Write([]byte{' '})
			}
		})
		paragraphHashes = append(paragraphHashes, binary.LittleEndian.Uint64(sum.Sum(nil)))
	}
	var text []byte // of the paragraph
	isPlain := false
	endAll := func() {
		for tries := 0; isPlain && paragraphs == 0 && len(text) > 0 && tries < 4; tries++ {
			n := hardBreak(text)
			end(text[:n])
			text = text[n:]
		}
		end(text)
		text = text[:0]
	}
	for i := range lines {
		l := &lines[i]
		if all >= few && len(different) >= least || l.Kind == mail.Own && isRule(l.Text) {
			break
		}
		if l.Kind == mail.Target || l.Markup.Inside {
			text = append(text, ' ')
		} else if l.Markup.Look != mail.Unmarked || l.Kind != mail.Own || len(bytes.TrimSpace(l.Text)) == 0 {
			endAll()
		}
		if l.Kind == mail.Own {
			isPlain = l.Markup.Look == mail.Unmarked
			text = append(append(text, l.Text...), '\n')
		}
	}
	endAll()
	return all < few || first < least || len(different) < least, paragraphHashes
}

// hardBreak returns the end of the first line of a paragraph that does not break where the text is
// wrapped: the first word of the next line would fit into the longest line of the paragraph.
func hardBreak(text []byte) int {
	width := 0
	for line := range bytes.Lines(text) {
		width = max(width, len(bytes.TrimSpace(line)))
	}
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n') + 1
		next := bytes.TrimLeft(text[at+n:], " \t\n")
		if n == 0 || len(next) == 0 {
			return len(text)
		}
		if end := bytes.IndexAny(next, " \t\n"); len(bytes.TrimSpace(text[at:at+n]))+1+end <= width {
			return at + n
		}
		at += n
	}
}
