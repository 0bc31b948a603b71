// Package mailsum computes the fuzzy sum of a mail message from what its author says: without quoted
// text, without text that is not shown, and without the footer of a list. The manual page
// fuzzysum(1) specifies the sum.
package mailsum

import (
	"bytes"
	"fmt"
	"math/bits"
	"regexp"
	"strings"
	"sync"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/mail"
)

// Options holds the parameters of a sum.
type Options struct {
	fuzzysum.Options
	SkipAttachments bool
}

// Default returns the default options.
func Default() Options {
	o := Options{Options: fuzzysum.Default()}
	o.Distinct = true
	return o
}

// Scheme returns a word that identifies the options: "mime2", and all options that differ from the
// default. Sums can be compared only if their schemes are equal.
func (o Options) Scheme() string {
	usual := Default()
	name := "mime2"
	if o.SkipAttachments {
		name += "/skip"
	}
	if o.Words != usual.Words {
		name += fmt.Sprintf("/w%d", o.Words)
	}
	if o.MinWords != usual.MinWords {
		name += fmt.Sprintf("/min%d", o.MinWords)
	}
	if o.Confidence != usual.Confidence {
		name += fmt.Sprintf("/p%g", o.Confidence)
	}
	if o.Reading != usual.Reading {
		name += "/one"
	}
	return name
}

// minBits is the minimum number of bits of a fuzzy sum, and minDistinct the minimum of different
// words, in hundredths of Options.MinWords. Below, the sum is a digest.
const (
	minBits     = 6
	minDistinct = 75
)

// A Summer computes sums. It is not safe for concurrent use.
type Summer struct {
	options Options
	hash    *fuzzysum.Hasher
}

// New returns a Summer. It returns an error if an option is out of range.
func New(o Options) (*Summer, error) {
	o.Distinct = true
	h, err := fuzzysum.NewHasher(o.Options)
	return &Summer{o, h}, err
}

// Sum returns the sum of a message. If the author says few different words, it is a digest of all
// words, the author's address, the links and the attachments.
func (s *Summer) Sum(c *mail.Content) fuzzysum.Result {
	lines := trimBlocks(c.Main())
	subject := cleanSubject(c.Header.Subject())
	s.hash.Reset()
	s.hash.Write(subject)
	for _, l := range lines {
		if l.Kind == mail.Own {
			s.hash.Write([]byte("\n"))
			s.hash.Write(l.Text)
		}
	}
	r := s.hash.Result()
	if r.Kind != fuzzysum.Fuzzy || 100*r.Distinct < minDistinct*s.options.MinWords || countBits(r.Sum) < minBits {
		return s.digest(c, subject, lines, r)
	}
	if len(c.Attached) > 0 && !s.options.SkipAttachments {
		var all []byte
		for _, sum := range c.Attached {
			all = append(all, sum[:]...)
		}
		for i, b := range fuzzysum.Digest(all) {
			r.Sum[i] ^= b
		}
		if r.Sum == (fuzzysum.Sum{}) || r.Sum.Exact() {
			return s.digest(c, subject, lines, r)
		}
	}
	return r
}

func countBits(s fuzzysum.Sum) (n int) {
	for _, b := range s {
		n += bits.OnesCount8(b)
	}
	return n
}

// digest returns the digest of a message. A message without words, links and attachments has the sum
// of an empty text.
func (s *Summer) digest(c *mail.Content, subject []byte, lines []mail.Line, r fuzzysum.Result) fuzzysum.Result {
	text := foldWords(nil, subject)
	for _, l := range lines {
		if l.Kind == mail.Target {
			text = append(append(append(text, '<'), l.Text...), '>')
			continue
		}
		text = foldWords(text, l.Text)
	}
	if c.TwoForms {
		for _, l := range c.Rich {
			if l.Kind == mail.Target {
				text = append(append(append(text, '<'), l.Text...), '>')
			}
		}
	}
	if !s.options.SkipAttachments || len(text) == 0 {
		for _, sum := range c.Attached {
			text = append(text, sum[:]...)
		}
	}
	r.Sum, r.Kind = fuzzysum.Empty, fuzzysum.Text
	if len(text) > 0 {
		r.Sum = fuzzysum.Digest(append(text, "\nfrom "+sender(c.Header)...))
	}
	return r
}

// foldWords appends the words of a text, in lower case, with one space before each.
func foldWords(dst, text []byte) []byte {
	for _, word := range bytes.Fields(bytes.ToLower(text)) {
		dst = append(append(dst, ' '), word...)
	}
	return dst
}

var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\s<>"(),;:]+@[^\s<>"(),;:]+`) })

// sender returns the address of the author, in lower case. If a list has replaced it, the author is
// that of X-Original-From or Reply-To.
func sender(h mail.Header) string {
	from := string(h.Get("From"))
	if strings.Contains(strings.ToLower(from), " via ") || len(h.Get("X-Original-From")) > 0 {
		for _, field := range []string{"X-Original-From", "Reply-To"} {
			if a := address().FindString(string(h.Get(field))); a != "" {
				return strings.ToLower(a)
			}
		}
	}
	return strings.ToLower(address().FindString(from))
}

var tag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\]]*\]`) })

// cleanSubject returns a subject without the tags of lists.
func cleanSubject(subject []byte) []byte { return tag().ReplaceAll(subject, []byte(" ")) }

var (
	rule   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*([_=*~#-])[_=*~#-]{4,}\s*$|^-- ?$`) })
	footer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)https?://|@|unsubscribe|mailing list|external|caution`)
	})
)

// isRule matches rule only against lines that can match.
func isRule(text []byte) bool {
	start := bytes.TrimSpace(text)
	return len(start) > 0 && strings.IndexByte("_=*~#-", start[0]) >= 0 && rule().Match(text)
}

// blockMax is the maximum number of words in the footer or the banner that is left out.
const blockMax = 80

// trimBlocks removes the signature, and the footer and the banner of a list or a gateway: a block of
// at most blockMax words after the last line of dashes, or before the first one. Except after the
// line "-- " and lines of underscores, the block must have an address or a word such as
// "unsubscribe".
func trimBlocks(lines []mail.Line) []mail.Line {
	for range 3 {
		words := 0
		block := []byte{}
		cutAt := -1
		for i := len(lines) - 1; i > 0 && words <= blockMax; i-- {
			l := lines[i]
			if l.Kind == mail.Own && isRule(l.Text) {
				text := bytes.TrimSpace(l.Text)
				if text[0] == '_' || len(text) == 2 || footer().Match(block) {
					cutAt = i
				}
				break
			}
			words += len(bytes.Fields(l.Text))
			block = append(append(block, l.Text...), '\n')
		}
		if cutAt < 0 {
			break
		}
		lines = lines[:cutAt]
	}
	words := 0
	block := []byte{}
	for i, l := range lines {
		if l.Kind == mail.Own && isRule(l.Text) && footer().Match(block) && i+1 < len(lines) {
			return lines[i+1:]
		}
		if words += len(bytes.Fields(l.Text)); words > blockMax {
			break
		}
		block = append(append(block, l.Text...), '\n')
	}
	return lines
}
