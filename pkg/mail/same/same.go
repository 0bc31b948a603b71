// Package same decides whether one message can be removed because another one says the same.
//
// Copies have the same content, except for what transport changes: encoding, charset, line breaks,
// the order of the fields, the tag of a mailing list in the subject, and one block of whole lines at
// the start or the end of one of them, such as the footer of a list. Content is the sequence of the
// words and punctuation marks of the text, each with whether it is quoted, or those of the HTML with
// its tags; the attachments; and [mail.Content].Rest.
//
// Copies also come from the same mail: they have the same Message-ID and not two dates, or they have
// the same author and the same recipients. In the second case, few words may have been said again, so
// messages with fewer than [Options].Few words of their own must have the same Date. If one message has a
// block more, it must have the same Message-ID, or the same Date and come from a list, unlike the
// other. A message that answers the other is never its copy.
//
// In doubt, two messages are not copies.
//
// A [Message] holds SHA-256 hashes, truncated to 128 bits, of the content and of the content without
// each possible block, so messages are compared without their text. It has about one kilobyte.
package same

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"doppel/pkg/mail"
)

// Options holds the parameters of the comparison.
type Options struct {
	Block int // maximum number of words in the block by which copies may differ
	Few   int // number of words below which copies must have the same Message-ID or Date
	First int // the same for the words of the first paragraph
}

// Default returns the default options.
func Default() Options { return Options{Block: 120, Few: 40, First: 25} }

// A Digest identifies the content of a message, or a part of it.
type Digest [16]byte

// A Message holds what is compared of a message.
type Message struct {
	origin
	headless   bool // the message has no header
	subject    string
	rest       Digest // attachments, and what else must be equal
	attached   Digest
	plain      rendering
	rich       rendering // only if twoForms
	twoForms   bool
	few        bool     // it has too few words of its own to be told from others
	paragraphs []uint64 // hashes of the first paragraphs, without notices; nil if few
	options    Options
	hasContent bool // words, markup or attachments
}

// A rendering is the text of a message: the plain text or the HTML.
type rendering struct {
	html   bool   // it has a line of HTML
	full   Digest // all that may be shown
	words  Digest // words and marks only
	looks  Digest // words, marks and targets
	simple Digest // all that is shown; zero if that is not certain
	cuts   []cut
}

// A cut is a form without a block at its start or end.
type cut struct {
	rest   Digest
	words  int // number of words in the block
	end    bool
	setOff bool // a line of dashes separates the block
}

// Read returns what is compared of a message. It keeps no part of the content.
func Read(c *mail.Content, o Options) *Message {
	m := &Message{
		origin:   readOrigin(c.Header),
		headless: len(c.Header) == 0,
		subject:  readSubject(c.Header),
		twoForms: c.TwoForms,
		options:  o,
	}
	sums := sha256.New()
	for _, sum := range c.Attached {
		sums.Write(sum[:])
	}
	m.attached = truncate(sums)
	for _, what := range c.Rest {
		sums.Write(binary.AppendUvarint(nil, uint64(len(what))))
		sums.Write([]byte(what))
	}
	m.rest = truncate(sums)
	m.plain = newForm(c.Plain, o.Block)
	if c.TwoForms {
		m.rich = newForm(c.Rich, o.Block)
	}
	main := c.Main()
	isQuoted := func(l mail.Line) bool { return l.Kind == mail.Quoted }
	m.few, m.paragraphs = hasFewWords(main, o.Few, o.First)
	m.few = m.few || m.parent == "" && (isAnswer(m.subject) || slices.ContainsFunc(main, isQuoted))
	m.hasContent = m.plain.full != none || m.twoForms || len(c.Attached) > 0
	return m
}

var none = truncate(sha256.New())

// MarkRepeated finds what messages of a run have in common that are not copies, and must be called
// before the first call of Keys or Compare. These messages are treated like those with few words:
//   - those that begin with a paragraph that occurs in three or more different texts, such as the
//     introduction of a form
//   - those whose text was sent at four or more dates, or on three or more days, such as a reminder
//
// A Message-ID that messages with two dates or two subjects have is treated as if it were missing.
func MarkRepeated(all iter.Seq[*Message]) {
	const texts = 3
	places := map[uint64][]Digest{}
	sent := map[Digest][]*Message{} // messages of each text with different dates
	mails := map[string]*Message{}  // the first message with each Message-ID
	shared := map[string]bool{}
	for m := range all {
		for _, p := range m.paragraphs {
			if at := places[p]; len(at) < texts && !slices.Contains(at, m.plain.words) {
				places[p] = append(at, m.plain.words)
			}
		}
		isDate := func(n *Message) bool { return n.dateKey() == m.dateKey() }
		if at := sent[m.plain.words]; len(at) < seriesDates && !slices.ContainsFunc(at, isDate) {
			sent[m.plain.words] = append(at, m)
		}
		switch first := mails[m.ID]; {
		case m.ID == "":
		case first == nil:
			mails[m.ID] = m
		default:
			_, ok := sameSubject(first, m)
			twoDates := first.dateText != "" && m.dateText != "" && first.dateKey() != m.dateKey()
			shared[m.ID] = shared[m.ID] || !ok || twoDates
		}
	}
	for m := range all {
		isOften := func(p uint64) bool { return len(places[p]) == texts }
		m.few = m.few || isSeries(sent[m.plain.words]) || slices.ContainsFunc(m.paragraphs, isOften)
		m.paragraphs = nil
		m.sharedID = shared[m.ID]
	}
}

// seriesDates is the number of dates from which messages with the same text are a series.
const seriesDates = 4

// isSeries reports whether messages of different dates, at most seriesDates of them, are a series, not
// one message that was sent again.
func isSeries(dates []*Message) bool {
	const day = 24 * 3600
	days := map[int64]bool{}
	for _, m := range dates {
		days[m.Date/day] = true
	}
	return len(dates) == seriesDates || len(days) >= 3
}

func truncate(h hash.Hash) Digest { return Digest(h.Sum(nil)[:16]) }

// A Verdict says whether two messages are copies, and why, or why not.
type Verdict struct {
	Copy bool
	Why  string
}

// Compare decides whether a message is a copy of another message that is kept. Both were read with
// the same options. The result may differ if the other message is kept: a block that only the
// removed message has is lost.
func Compare(kept, m *Message) Verdict {
	sameID, sameDate := kept.sameID(&m.origin), kept.sameDate(&m.origin)
	if kept.headless || m.headless {
		return Verdict{Why: "no header"}
	}
	if !sameID && (kept.answers(&m.origin) || m.answers(&kept.origin)) {
		return Verdict{Why: "an answer"}
	}
	if !sameID && kept.parent != m.parent {
		return Verdict{Why: "answers to two messages"}
	}
	tags, ok := sameSubject(kept, m)
	tagged := tags != [2]bool{}
	if !ok || tagged && !sameID && !(sameDate && tags == [2]bool{kept.list, m.list}) {
		return Verdict{Why: "other subject"}
	}
	switch {
	case kept.attached != m.attached:
		return Verdict{Why: "other attachments"}
	case kept.rest != m.rest:
		return Verdict{Why: "other parts"}
	}
	blocks, why := compareText(kept, m, sameID)
	if why != "" {
		return Verdict{Why: why}
	}
	if why := compareOrigin(kept, m, sameDate); !sameID && why != "" {
		return Verdict{Why: why}
	}
	block := cmp.Or(blocks[0], blocks[1])
	more := nameWords(block.words, "more ")
	switch {
	case block == cut{}:
	case blocks[0] != cut{} && blocks[1] != cut{}:
		return Verdict{Why: "two blocks"}
	case !sameID && !sameDate:
		return Verdict{Why: more + ", other date"}
	case !sameID && kept.list == m.list, !sameID && m.list != (blocks[1] != cut{}):
		return Verdict{Why: more + ", no list"}
	case blocks[1] != cut{} && !block.setOff && (kept.list || !m.list):
		return Verdict{Why: more + ", not set off"}
	}
	var changes []string
	if tagged {
		changes = append(changes, "a tag")
	}
	if block != (cut{}) {
		place := "start"
		if block.end {
			place = "end"
		}
		changes = append(changes, nameWords(block.words, "")+" at the "+place)
	}
	if len(changes) > 0 {
		return Verdict{true, "equal but for " + strings.Join(changes, " and ")}
	}
	return Verdict{true, "equal"}
}

// compareOrigin says why messages without a common Message-ID do not come from the same mail, or
// returns "".
func compareOrigin(kept, m *Message, sameDate bool) string {
	switch {
	case len(kept.authors) == 0 && len(m.authors) == 0:
		return "unknown author"
	case !kept.sameAuthor(&m.origin):
		return "other author"
	case !kept.sameRecipients(&m.origin):
		return "other recipients"
	case !m.hasContent:
		return "no content"
	case sameDate:
		return ""
	case kept.few || m.few:
		return "few words, other date"
	case !kept.sentAgain(&m.origin):
		return "other date"
	}
	return ""
}

// nameWords returns a number of words as text, with an adjective.
func nameWords(n int, adjective string) string {
	if n == 1 {
		return "1 " + adjective + "word"
	}
	return fmt.Sprintf("%d %swords", n, adjective)
}

// sameSubject reports whether two messages have the same subject, or one of the subjects has the tag
// of its list more, such as "[list]", and which of them has it.
func sameSubject(a, b *Message) (tagged [2]bool, ok bool) {
	switch {
	case a.subject == b.subject:
		return tagged, true
	case a.withoutTag() == b.subject:
		return [2]bool{true, false}, true
	}
	return [2]bool{false, true}, b.withoutTag() == a.subject
}

// replyPrefix matches the words that programs put before the subject of an answer or a forward.
var replyPrefix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:(?:re|aw|sv|vs|antw|fw|fwd|wg|tr|rv|enc|i) ?: ?)+`)
})

func foldPrefix(subject string) string {
	return replyPrefix().ReplaceAllStringFunc(subject, strings.ToLower)
}

// isAnswer reports whether a subject is that of an answer or a forward.
func isAnswer(subject string) bool { return replyPrefix().MatchString(subject) }

// readSubject returns the words and marks of the subject, with "Re:" and the like in lower case.
func readSubject(h mail.Header) string {
	var all []string
	for _, value := range h.Values("Subject") {
		var text []byte
		eachToken(mail.Decoded(value), func(token []byte, _, glued bool) {
			if !glued && len(text) > 0 {
				text = append(text, ' ')
			}
			text = append(text, token...)
		})
		all = append(all, foldPrefix(string(text)))
	}
	return strings.Join(all, "\n")
}

// gatewayTags lists, without brackets, the words that mail gateways put before subjects.
var gatewayTags = []string{"external", "externalemail", "ext", "extern", "externe", "externo", "esterno", "spam"}

// withoutTag returns the subject without the name of the list or a word of a gateway in brackets,
// which may follow "Re:". Other words in brackets stay: "[CANCELLED]" and "[not]" say something.
func (m *Message) withoutTag() string {
	subject := m.subject
	start := strings.IndexByte(subject, '[')
	if start < 0 || start > 12 {
		return subject
	}
	n := strings.IndexByte(subject[start:], ']')
	if n < 0 {
		return subject
	}
	tag := lettersOf(lower(subject[start : start+n]))
	if !slices.Contains(m.listNames, tag) && !slices.Contains(gatewayTags, tag) {
		return subject
	}
	return foldPrefix(strings.TrimSpace(subject[:start] + strings.TrimSpace(subject[start+n+1:])))
}

// compareText compares the texts of two messages, and says how they differ. If one of them has a block
// more, compareText returns this block: first the block that only kept has, then the block that only
// m has. If only one of them has two forms, both forms must show the same; or the message that
// is kept has both, and the Message-IDs are equal, since lists remove a form.
func compareText(kept, m *Message, sameID bool) (blocks [2]cut, why string) {
	if kept.twoForms == m.twoForms {
		ok := sameForm(&kept.plain, &m.plain, &blocks)
		if ok && m.twoForms {
			ok = sameForm(&kept.rich, &m.rich, &blocks)
		}
		switch {
		case ok, !m.twoForms && kept.plain.simple == m.plain.simple && m.plain.simple != Digest{}:
			return blocks, ""
		case kept.plain.words != m.plain.words || kept.rich.words != m.rich.words:
			return blocks, "other words"
		case kept.plain.looks != m.plain.looks || kept.rich.looks != m.rich.looks:
			return blocks, "other links"
		case !kept.plain.html && !m.plain.html && !m.rich.html:
			return blocks, "other layout"
		}
		return blocks, "other markup"
	}
	both, one := kept, m
	if m.twoForms {
		both, one = m, kept
	}
	agree := both.plain.simple == both.rich.simple && both.plain.simple != Digest{}
	equal := sameForm(&kept.plain, &m.plain, &blocks)
	if !equal && both == kept {
		equal = sameForm(&kept.rich, &m.plain, &blocks)
	} else if !equal {
		equal = sameForm(&kept.plain, &m.rich, &blocks)
	}
	switch {
	case agree && equal, agree && one.plain.simple == both.plain.simple, equal && sameID && both == kept:
		return blocks, ""
	case equal:
		return blocks, "two forms"
	}
	return blocks, "other words"
}

// sameForm reports whether two forms are equal, and adds the block that only one of them has.
func sameForm(kept, m *rendering, blocks *[2]cut) bool {
	if kept.full == m.full {
		return true
	}
	for side, pair := range [2][2]*rendering{{m, kept}, {kept, m}} {
		i := slices.IndexFunc(pair[1].cuts, func(c cut) bool { return c.rest == pair[0].full })
		if i < 0 {
			continue
		}
		found := pair[1].cuts[i]
		found.rest = pair[1].full // differs from that of no block
		old := &blocks[side]
		found.words, found.setOff = max(found.words, old.words), found.setOff && (old.setOff || *old == cut{})
		*old = found
		return true
	}
	return false
}

// Keys returns numbers that identify the content of the message together with its Message-ID or its
// author. Two messages can be copies only if one of the numbers of full of one of them is among the
// numbers of full or of cuts of the other.
func (m *Message) Keys() (full, cuts []uint64) {
	if m.headless || !m.hasContent && m.ID == "" {
		return nil, nil
	}
	forms := []*rendering{&m.plain}
	if m.twoForms {
		forms = append(forms, &m.rich)
	}
	var evidence []string
	if len(m.authors) > 0 && !m.few {
		evidence = append(evidence, "author "+m.authors[0].address)
	}
	if len(m.authors) > 0 {
		evidence = append(evidence, "author "+m.authors[0].address+" date "+m.dateKey())
	}
	if m.ID != "" {
		evidence = append(evidence, "id "+m.ID)
	}
	for _, text := range evidence {
		key := func(d Digest) uint64 {
			sum := sha256.Sum256(append(append(d[:], m.rest[:]...), text...))
			return binary.LittleEndian.Uint64(sum[:])
		}
		for _, f := range forms {
			full = append(full, key(f.full))
			if f.simple != (Digest{}) {
				full = append(full, key(f.simple))
			}
			for _, c := range f.cuts {
				cuts = append(cuts, key(c.rest))
			}
		}
	}
	slices.Sort(cuts)
	return full, slices.Compact(cuts)
}
