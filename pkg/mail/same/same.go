// Package same decides whether two messages are copies of each other.
//
// Copies have the same content, except for what transport changes: encoding, charset, line breaks,
// the order of the fields, the tag of a mailing list in the subject, and one block of whole lines at
// the start or the end of one of them, such as the footer of a list. Content is the sequence of the
// words and punctuation marks of the text, each with whether it is quoted; the targets of links and
// images; and the attachments. Copies also have the same Message-ID or the same author. Few words
// may be said again by the same author, so messages with fewer than [Options].Few words of their own
// must have the same Message-ID or the same Date. If one message has a block, it must have the same
// Message-ID or Date, or come from a list, unlike the other. A message that answers the other is
// never its copy.
//
// A [Message] holds SHA-256 hashes, truncated to 128 bits, of the content and of the content without
// each possible block, so messages are compared without their text. It has about one kilobyte.
package same

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	netmail "net/mail"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"doppel/pkg/mail"
)

// Options holds the parameters of the comparison.
type Options struct {
	Block int // maximum number of words in the block by which copies may differ
	Few   int // number of words below which copies must have the same Message-ID or Date
}

// Default returns the default options.
func Default() Options { return Options{Block: 120, Few: 40} }

// A Digest identifies the content of a message, or a part of it.
type Digest [16]byte

// A Message holds what is compared of a message.
type Message struct {
	ID         string // Message-ID, or "" if the message has none that tells it from others
	Date       int64  // Unix time, 0 if the message has no valid date
	headless   bool   // the message has no header
	dateText   string
	authors    []string // addresses of the author, and the name if a list has replaced the address
	parent     string   // Message-ID of the message that this one answers, or ""
	refers     []string // the messages that this one answers
	list       bool     // a list has added fields to the header
	subject    string
	attached   Digest
	plain      form
	rich       form // only if twoForms
	twoForms   bool
	plainHas   bool // the plain text has all words of the rich one
	richHas    bool // and vice versa
	own        int  // number of words that are not quoted
	options    Options
	hasContent bool // words, targets or attachments
}

// A form is the text of a message: the plain text or the HTML.
type form struct {
	full  Digest // words and targets
	words Digest // words only
	cuts  []cut
}

// A cut is a form without a block at its start or end.
type cut struct {
	rest  Digest
	words int // number of words in the block
	end   bool
}

// Read returns what is compared of a message. It keeps no part of the content.
func Read(c *mail.Content, o Options) *Message {
	m := &Message{
		ID:       readID(string(c.Header.Get("Message-ID"))),
		headless: len(c.Header) == 0,
		dateText: string(c.Header.Get("Date")),
		parent:   readID(string(c.Header.Get("In-Reply-To"))),
		refers:   strings.Fields(string(c.Header.Get("In-Reply-To")) + " " + string(c.Header.Get("References"))),
		subject:  strings.Join(wordsOf(c.Header.Subject()), " "),
		twoForms: c.TwoForms,
		options:  o,
	}
	if date, err := netmail.ParseDate(m.dateText); err == nil {
		m.Date = date.Unix()
	}
	m.readAuthors(c.Header)
	sums := sha256.New()
	for _, sum := range c.Attached {
		sums.Write(sum[:])
	}
	m.attached = truncate(sums)
	plain := tokensOf(c.Plain)
	m.plain = newForm(plain, o.Block)
	main := plain
	if c.TwoForms {
		rich := tokensOf(c.Rich)
		m.rich = newForm(rich, o.Block)
		m.plainHas, m.richHas = covers(plain, rich), covers(rich, plain)
		if len(rich) > 2*len(plain) {
			main = rich
		}
	}
	for _, t := range main {
		if t.kind == ownWord {
			m.own++
		}
	}
	m.hasContent = len(main) > 0 || len(c.Attached) > 0
	return m
}

// listFields lists fields that mailing lists add.
var listFields = []string{"List-Id", "List-Post", "List-Unsubscribe", "X-Mailing-List", "Mailing-List", "X-Original-From", "X-BeenThere"}

// readAuthors sets the authors and whether the message comes from a list. If the list has replaced
// the author's address by its own, the authors are those of X-Original-From or Reply-To.
func (m *Message) readAuthors(h mail.Header) {
	for _, field := range listFields {
		m.list = m.list || len(h.Get(field)) > 0
	}
	from := string(h.Get("From"))
	m.authors = addresses(from)
	post := strings.ToLower(string(h.Get("List-Post")) + " " + string(h.Get("X-BeenThere")) + " " + string(h.Get("Mailing-List")))
	replaced := len(h.Get("X-Original-From")) > 0 || strings.Contains(strings.ToLower(from), " via ") ||
		slices.ContainsFunc(m.authors, func(a string) bool { return strings.Contains(post, a) })
	if !replaced {
		return
	}
	m.list = true
	lists := m.authors
	m.authors = nil
	for _, field := range []string{"X-Original-From", "Reply-To"} {
		for _, a := range addresses(string(h.Get(field))) {
			if !slices.Contains(lists, a) && !strings.Contains(post, a) && len(m.authors) == 0 {
				m.authors = append(m.authors, a)
			}
		}
	}
}

// addresses returns the addresses of a field, in lower case and in ascending order.
func addresses(field string) (all []string) {
	list, err := netmail.ParseAddressList(field)
	if err != nil {
		for word := range strings.FieldsFuncSeq(field, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>,;\"()", r) }) {
			if strings.Contains(word, "@") {
				all = append(all, strings.ToLower(word))
			}
		}
	}
	for _, a := range list {
		all = append(all, strings.ToLower(a.Address))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// readID returns the first Message-ID in a field, or "" if it does not have the form <LEFT@RIGHT>.
// Some programs write the same placeholder, such as <>, in all messages.
func readID(field string) string {
	start, end := strings.IndexByte(field, '<'), strings.IndexByte(field, '>')
	if start != 0 || end < start {
		return ""
	}
	left, right, ok := strings.Cut(field[1:end], "@")
	if !ok || left == "" || right == "" {
		return ""
	}
	return field[:end+1]
}

type tokenKind byte

const (
	ownWord tokenKind = iota
	ownMark           // a punctuation mark or symbol
	quotedWord
	quotedMark
	target
)

type token struct {
	kind  tokenKind
	start bool // it begins a line
	text  string
}

// tokensOf returns the words, marks and targets of a text. White space only separates them. The
// characters with which plain text shows emphasis and lists are left out.
func tokensOf(lines []mail.Line) (all []token) {
	for _, l := range lines {
		if l.Kind == mail.Target {
			all = append(all, token{target, true, string(l.Text)})
			continue
		}
		word, mark := ownWord, ownMark
		if l.Kind == mail.Quoted {
			word, mark = quotedWord, quotedMark
		}
		start := true
		add := func(kind tokenKind, text []byte) {
			all = append(all, token{kind, start, string(text)})
			start = false
		}
		eachWord(l.Text, func(text []byte, isWord bool) {
			if isWord {
				add(word, text)
			} else {
				add(mark, text)
			}
		})
	}
	return all
}

// eachWord calls fn for each word and each other visible character of a text. A word is a run of
// letters, marks and digits. A word of marks alone is left out.
func eachWord(text []byte, fn func(text []byte, isWord bool)) {
	text = norm.NFC.Bytes(text)
	start, hasLetter := -1, false
	end := func(at int) {
		if start >= 0 && hasLetter {
			fn(text[start:at], true)
		}
		start, hasLetter = -1, false
	}
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		switch {
		case unicode.In(r, unicode.L, unicode.N, unicode.M) || r == utf8.RuneError && n == 1:
			if start < 0 {
				start = at
			}
			hasLetter = hasLetter || !unicode.Is(unicode.M, r)
		case unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("*_•·", r):
			end(at)
		default:
			end(at)
			fn(text[at:at+n], false)
		}
		at += n
	}
	end(len(text))
}

func wordsOf(text []byte) (all []string) {
	eachWord(text, func(text []byte, _ bool) { all = append(all, string(text)) })
	return all
}

// covers reports whether all words, and all targets, of one form of a text occur in another form.
func covers(form, other []token) bool {
	counts := map[string]int{}
	var whole strings.Builder
	for _, t := range form {
		counts[t.text]++
		whole.WriteString(t.text)
	}
	all := whole.String()
	for _, t := range other {
		switch t.kind {
		case target:
			address := strings.Join(wordsOf([]byte(strings.TrimPrefix(t.text, "mailto:"))), "")
			if counts[t.text] == 0 && !strings.Contains(all, address) {
				return false
			}
		case ownWord, quotedWord:
			if counts[t.text]--; counts[t.text] < 0 {
				return false
			}
		}
	}
	return true
}

// maxHeads is the maximum number of blocks at the start of a message that are tried, because each
// takes a pass over the text, and maxHeadText the maximum length of a text for which they are tried.
const (
	maxHeads    = 40
	maxHeadText = 1 << 20
)

// newForm returns the hashes of a text, and those of the text without each block of whole lines, of
// at most block words, at its start or end.
func newForm(tokens []token, block int) (f form) {
	isWord := func(t token) bool { return t.kind == ownWord || t.kind == quotedWord }
	total := 0
	for _, t := range tokens {
		if isWord(t) {
			total++
		}
	}
	var encoded []byte
	starts := make([]int, len(tokens))
	all, words := sha256.New(), sha256.New()
	before := 0 // number of words before the token
	for i, t := range tokens {
		if i > 0 && t.start && total-before <= block {
			f.cuts = append(f.cuts, cut{truncate(all), total - before, true})
		}
		starts[i] = len(encoded)
		encoded = append(encoded, byte(t.kind))
		encoded = binary.AppendUvarint(encoded, uint64(len(t.text)))
		encoded = append(encoded, t.text...)
		all.Write(encoded[starts[i]:])
		if t.kind != target {
			words.Write(encoded[starts[i]:])
		}
		if isWord(t) {
			before++
		}
	}
	f.full, f.words = truncate(all), truncate(words)
	if len(encoded) > maxHeadText {
		return f
	}
	before = 0
	heads := 0
	for i, t := range tokens {
		if i > 0 && t.start && heads < maxHeads {
			sum := sha256.Sum256(encoded[starts[i]:])
			f.cuts = append(f.cuts, cut{Digest(sum[:16]), before, false})
			heads++
		}
		if isWord(t) {
			before++
		}
		if before > block {
			break
		}
	}
	return f
}

func truncate(h hash.Hash) Digest { return Digest(h.Sum(nil)[:16]) }

// A Verdict says whether two messages are copies, and why, or why not.
type Verdict struct {
	Copy bool
	Why  string
}

// Compare compares two messages that were read with the same options.
func Compare(a, b *Message) Verdict {
	sameID := a.ID != "" && a.ID == b.ID
	sameDate := a.dateText != "" && (a.dateText == b.dateText || a.Date != 0 && a.Date == b.Date)
	if a.headless || b.headless {
		return Verdict{Why: "no header"}
	}
	if !sameID && (answers(a, b) || answers(b, a)) {
		return Verdict{Why: "an answer"}
	}
	if !sameID && a.parent != "" && b.parent != "" && a.parent != b.parent {
		return Verdict{Why: "answers to two messages"}
	}
	tagged, ok := sameSubject(a.subject, b.subject)
	if !ok || tagged && !sameID && a.list == b.list {
		return Verdict{Why: "other subject"}
	}
	if a.attached != b.attached {
		return Verdict{Why: "other attachments"}
	}
	block, ok := sameText(a, b)
	switch {
	case !ok && a.plain.words == b.plain.words && a.rich.words == b.rich.words:
		return Verdict{Why: "other links"}
	case !ok:
		return Verdict{Why: "other words"}
	case !sameID && !sameAuthor(a, b):
		return Verdict{Why: "other author"}
	case !sameID && !sameDate && min(a.own, b.own) < a.options.Few:
		return Verdict{Why: "few words, other date"}
	case block.words > 0 && !sameID && !sameDate && a.list == b.list:
		return Verdict{Why: countWords(block.words, "more ") + ", other date"}
	}
	var changes []string
	if tagged {
		changes = append(changes, "a tag")
	}
	if block.words > 0 || block.rest != (Digest{}) {
		place := "start"
		if block.end {
			place = "end"
		}
		changes = append(changes, countWords(block.words, "")+" at the "+place)
	}
	if len(changes) > 0 {
		return Verdict{true, "equal but for " + strings.Join(changes, " and ")}
	}
	return Verdict{true, "equal"}
}

// countWords returns a number of words as text, with an adjective.
func countWords(n int, adjective string) string {
	if n == 1 {
		return "1 " + adjective + "word"
	}
	return fmt.Sprintf("%d %swords", n, adjective)
}

// answers reports whether a answers b.
func answers(a, b *Message) bool { return b.ID != "" && slices.Contains(a.refers, b.ID) }

func sameAuthor(a, b *Message) bool {
	return len(a.authors) > 0 && slices.Equal(a.authors, b.authors)
}

// sameSubject reports whether two subjects are equal, or one of them has a tag more, such as
// "[list]".
func sameSubject(a, b string) (tagged, ok bool) {
	if a == b {
		return false, true
	}
	return true, withoutTag(a) == b || withoutTag(b) == a
}

// withoutTag returns a subject without its first tag, such as "[list]", which may follow "Re:".
func withoutTag(subject string) string {
	start := strings.IndexByte(subject, '[')
	if start < 0 || start > 12 {
		return subject
	}
	n := strings.IndexByte(subject[start:], ']')
	if n < 0 {
		return subject
	}
	return strings.TrimSpace(subject[:start] + strings.TrimSpace(subject[start+n+1:]))
}

// sameText compares the texts of two messages. If the text of one of them has a block more, it
// returns the block. A form of the text that only one message has must not say more than the form
// that both have.
func sameText(a, b *Message) (cut, bool) {
	switch {
	case a.twoForms && b.twoForms:
		plain, ok := sameForm(&a.plain, &b.plain)
		rich, okRich := sameForm(&a.rich, &b.rich)
		if rich.words > plain.words {
			plain = rich
		}
		return plain, ok && okRich
	case b.twoForms:
		a, b = b, a
	case !a.twoForms:
		return sameForm(&a.plain, &b.plain)
	}
	if block, ok := sameForm(&a.plain, &b.plain); ok && a.plainHas {
		return block, true
	}
	block, ok := sameForm(&a.rich, &b.plain)
	return block, ok && a.richHas
}

func sameForm(a, b *form) (cut, bool) {
	if a.full == b.full {
		return cut{}, true
	}
	for _, pair := range [][2]*form{{a, b}, {b, a}} {
		i := slices.IndexFunc(pair[1].cuts, func(c cut) bool { return c.rest == pair[0].full })
		if i >= 0 {
			return pair[1].cuts[i], true
		}
	}
	return cut{}, false
}

// Keys returns numbers that identify the content of the message together with its Message-ID or its
// author. Two messages can be copies only if one of the numbers of full of one of them is among the
// numbers of full or of cuts of the other.
func (m *Message) Keys() (full, cuts []uint64) {
	if m.headless || !m.hasContent && m.ID == "" {
		return nil, nil
	}
	forms := []*form{&m.plain}
	if m.twoForms {
		forms = append(forms, &m.rich)
	}
	author := "author " + strings.Join(m.authors, " ")
	var evidence []string
	if m.own >= m.options.Few {
		evidence = append(evidence, author)
	}
	if m.own < m.options.Few+m.options.Block {
		date := m.dateText
		if m.Date != 0 {
			date = strconv.FormatInt(m.Date, 10)
		}
		evidence = append(evidence, author+" date "+date)
	}
	if m.ID != "" {
		evidence = append(evidence, "id "+m.ID)
	}
	for _, text := range evidence {
		key := func(d Digest) uint64 {
			sum := sha256.Sum256(append(append(d[:], m.attached[:]...), text...))
			return binary.LittleEndian.Uint64(sum[:])
		}
		for _, f := range forms {
			full = append(full, key(f.full))
			for _, c := range f.cuts {
				cuts = append(cuts, key(c.rest))
			}
		}
	}
	slices.Sort(cuts)
	return full, slices.Compact(cuts)
}
