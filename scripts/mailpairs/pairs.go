package main

import (
	"fmt"
	"strings"
	"time"
)

// A pair is two messages that are copies of each other, or not.
type pair struct {
	kind  string
	copy  bool
	words int // number of words of the first letter
	a, b  message
}

// Numbers of words of the letters.
var lengths = []int{60, 120, 200, 400}

// makePairs returns the pairs of all kinds. The scale 1 makes at least 1,000 pairs of copies and 3,000
// that are none.
func makePairs(w *writer, scale float64) (all []pair) {
	repeat := func(n int, make func(i int)) {
		for i := range max(2, int(float64(n)*scale)) {
			make(i)
		}
	}
	add := func(kind string, isCopy bool, n int, a, b message) { all = append(all, pair{kind, isCopy, n, a, b}) }
	copies(w, repeat, func(kind string, n int, a, b message) { add(kind, true, n, a, b) })
	answers(w, scale, func(kind string, n int, a, b message) { add(kind, false, n, a, b) })
	others(w, repeat, func(kind string, a, b message) { add(kind, false, 0, a, b) })
	return all
}

type adder func(kind string, n int, a, b message)

func copies(w *writer, repeat func(int, func(int)), add adder) {
	received := func(m message) message {
		m.fields = append([]string{fmt.Sprintf("Received: from relay%d.example.org by mx.example.org; %s", w.IntN(99), m.date.Format(time.RFC1123Z))}, m.fields...)
		m.shuffled = !m.shuffled
		return m
	}
	repeat(120, func(i int) {
		m := w.letter(lengths[i%4])
		add("sent again", lengths[i%4], m, received(w.again(m)))
	})
	repeat(60, func(i int) {
		m := w.letter(3 + w.IntN(30))
		add("relayed, short", 0, m, received(m))
	})
	repeat(200, func(i int) {
		m := w.letter(lengths[i%4])
		add("through a list", lengths[i%4], m, received(w.throughList(m, i/4)))
	})
	repeat(120, func(i int) {
		m := w.letter(lengths[i%4])
		b := w.throughList(m, i/4)
		b.fields = append(b.fields, fmt.Sprintf("Reply-To: %s <%s>", m.from, addressOf(m.from)))
		if i%2 == 0 {
			b.fields = append(b.fields, fmt.Sprintf("X-Original-From: %s <%s>", m.from, addressOf(m.from)))
			b.id = w.again(m).id
		}
		b.from = fmt.Sprintf("%s via list <list@example.org>", m.from)
		add("From rewritten by a list", lengths[i%4], m, b)
	})
	repeat(240, func(i int) {
		m := w.letter(lengths[i/12%4])
		b := received(m)
		if i%2 == 0 {
			b = w.again(m)
		}
		b.coding = codings[i%12]
		add("encoded in another way", lengths[i/12%4], m, b)
	})
	repeat(120, func(i int) {
		m := w.letter(lengths[i%4])
		b := w.again(m)
		b.text = wrap(m.text, 40+w.IntN(60)) + "\n"
		b.crlf = i%2 == 0
		add("wrapped again", lengths[i%4], m, b)
	})
	repeat(100, func(i int) {
		m := w.letter(lengths[i%4])
		m.files = []file{{"application/pdf", w.words(50)}, {"image/png", w.words(20)}}
		b := w.again(m)
		b.boundary = "----=_NextPart_" + b.boundary[2:]
		add("another boundary", lengths[i%4], m, b)
	})
	repeat(120, func(i int) {
		m := w.letter(lengths[i%4])
		b := w.again(m)
		b.page = htmlOf(m.text)
		if i%3 == 0 {
			b.text = ""
		} else if i%3 == 1 {
			m.page, m.boundary = b.page, "other"
		}
		add("HTML and plain", lengths[i%4], m, b)
	})
	repeat(80, func(i int) {
		m := w.letter(lengths[i%4])
		b := received(m)
		if i%2 == 0 {
			b.text = "CAUTION: This mail comes from outside of the organization. Do not\nopen links or attachments unless you know the sender.\n------------------------------\n\n" + m.text
			b.subject = "[EXTERNAL] " + m.subject
		} else {
			b.text = m.text + "\n" + strings.Repeat("_", 40) + "\n" + wrap("This message and its attachments are confidential and are meant for the named recipient only. "+w.words(30), 72) + "\n"
		}
		add("banner or notice of a gateway", lengths[i%4], m, b)
	})
}

// throughList returns a message as a list sends it: with a tag in the subject, a footer and fields.
func (w *writer) throughList(m message, i int) message {
	footers := []string{
		"_______________________________________________\nTalk mailing list\nTalk@lists.example.org\nhttps://lists.example.org/mailman/listinfo/talk\n",
		"-- \nYou received this message because you are subscribed to the group\n\"Talk\". To unsubscribe from this group and stop receiving emails from it,\nsend an email to talk+unsubscribe@groups.example.org.\nTo view this discussion visit https://groups.example.org/d/msgid/talk/" + fmt.Sprint(w.Uint32()) + "\n",
		"\n--\nTo unsubscribe, send mail to talk-unsubscribe@lists.example.org\n",
		"-=-=-=-=-=-=-=-=-=-=-=-\nLinks: You receive all messages sent to this group.\nView/Reply Online (#" + fmt.Sprint(w.IntN(9999)) + "): https://talk.groups.example.org/message/1\n-=-=-=-=-=-=-=-=-=-=-=-\n",
	}
	m.subject = "[Talk] " + m.subject
	m.text = strings.TrimRight(m.text, "\n") + "\n" + footers[i%len(footers)]
	m.fields = append([]string{"List-Id: Talk <talk.lists.example.org>", "List-Post: <mailto:list@example.org>", "Precedence: list"}, m.fields...)
	return m
}

// Quoting styles.
var styles = []string{">", "separator", "HTML"}

// quote puts an answer above or below a quoted letter.
func quote(style, answer string, above bool, m message) (text, page string) {
	intro := fmt.Sprintf("On %s, %s wrote:\n", m.date.Format("Mon, 2 Jan 2006 at 15:04"), m.from)
	switch style {
	case ">":
		quoted := intro + "> " + strings.ReplaceAll(strings.TrimSpace(m.text), "\n", "\n> ") + "\n"
		quoted = strings.ReplaceAll(quoted, "> \n", ">\n")
		if above {
			return answer + "\n\n" + quoted, ""
		}
		return quoted + "\n" + answer + "\n", ""
	case "separator":
		quoted := fmt.Sprintf("-----Original Message-----\nFrom: %s\nSent: %s\nTo: list@example.org\nSubject: %s\n\n%s", m.from, m.date.Format(time.RFC1123), m.subject, m.text)
		if above {
			return answer + "\n\n" + quoted, ""
		}
		return quoted + "\n" + answer + "\n", ""
	}
	body := htmlOf(m.text)
	quoted := "<div class=\"gmail_quote\">" + intro + "<blockquote>" + body[strings.Index(body, "<p>"):strings.Index(body, "</body>")] + "</blockquote></div>"
	if above {
		return "", "<div>" + answer + "</div>" + quoted
	}
	return "", quoted + "<div>" + answer + "</div>"
}

func answers(w *writer, scale float64, add adder) {
	for range max(1, int(12*scale)) {
		for _, n := range []int{3, 10, 20, 40, 80} {
			for _, length := range lengths {
				for _, style := range styles {
					for _, above := range []bool{true, false} {
						m := w.letter(length)
						b := w.again(m)
						b.subject = "Re: " + m.subject
						b.from = w.other(m.from)
						switch w.IntN(10) {
						case 0:
							b.from = m.from
						case 1:
							b.subject = m.subject
						}
						if w.IntN(2) == 0 {
							b.fields = []string{"In-Reply-To: " + m.id, "References: " + m.id}
						}
						b.text, b.page = quote(style, wrap(w.words(n), 72), above, m)
						if style == "HTML" {
							m.page, m.text = htmlOf(m.text), ""
						}
						add("answer, "+style, length, m, b)
					}
				}
			}
		}
	}
	for i := range max(8, int(320*scale)) {
		m := w.letter(lengths[i%4])
		b := w.again(m)
		b.from, b.subject = w.other(m.from), "Fwd: "+m.subject
		comment := ""
		if i%2 == 0 {
			comment = wrap(w.words(5), 72)
		}
		style := []string{">", "separator", "HTML", "attached"}[i/4%4]
		switch style {
		case "attached":
			b.text, b.files = comment+"\n", []file{{"message/rfc822", m.String()}}
		default:
			b.text, b.page = quote(style, comment, true, m)
			if style == "HTML" {
				m.page, m.text = htmlOf(m.text), ""
			}
		}
		add("forward, "+style, lengths[i%4], m, b)
	}
}
