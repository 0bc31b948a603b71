package main

import (
	"fmt"
	"strings"
	"time"
)

// A pair is two messages that are copies of each other, or not.
type pair struct {
	kind string
	copy bool
	a, b message
}

// A kind makes n pairs at the scale 1. Its function makes the i-th pair.
type kind struct {
	name string
	n    int
	make func(w *writer, i int) (a, b message)
}

// Numbers of words of the letters.
var lengths = []int{60, 120, 200, 400}

// makePairs returns the pairs of all kinds. The scale 1 makes at least 1,000 pairs of copies and 3,000
// that are none.
func makePairs(w *writer, scale float64) (all []pair) {
	add := func(kinds []kind, isCopy bool) {
		for _, k := range kinds {
			for i := range max(2, int(float64(k.n)*scale)) {
				a, b := k.make(w, i)
				all = append(all, pair{k.name, isCopy, a, b})
			}
		}
	}
	add(copies, true)
	for _, style := range styles {
		add([]kind{{"answer, " + style, 480, func(w *writer, i int) (a, b message) { return w.answer(style, i) }}}, false)
	}
	for _, style := range append(styles, attached) {
		add([]kind{{"forward, " + style, 80, func(w *writer, i int) (a, b message) { return w.forward(style, i) }}}, false)
	}
	add(alike, false)
	return all
}

// copies lists the kinds of pairs of messages that are copies.
var copies = []kind{
	{"sent again", 120, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		return m, w.received(w.again(m))
	}},
	{"relayed, short", 60, func(w *writer, i int) (message, message) {
		m := w.letter(3 + w.IntN(30))
		return m, w.received(m)
	}},
	{"through a list", 200, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		return m, w.received(w.throughList(m, i/4))
	}},
	{"From rewritten by a list", 120, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		b := w.throughList(m, i/4)
		b.fields = append(b.fields, fmt.Sprintf("Reply-To: %s <%s>", m.from, addressOf(m.from)))
		if i%2 == 0 {
			b.fields = append(b.fields, fmt.Sprintf("X-Original-From: %s <%s>", m.from, addressOf(m.from)))
			b.id = w.again(m).id
		}
		b.from = fmt.Sprintf("%s via list <list@example.org>", m.from)
		return m, b
	}},
	{"encoded in another way", 240, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i/12%4])
		b := w.received(m)
		if i%2 == 0 {
			b = w.again(m)
		}
		b.coding = codings[i%12]
		return m, b
	}},
	{"wrapped again", 120, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		b := w.again(m)
		b.text = wrap(m.text, 40+w.IntN(60)) + "\n"
		b.crlf = i%2 == 0
		return m, b
	}},
	{"another boundary", 100, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		m.files = []file{{"application/pdf", w.words(50)}, {"image/png", w.words(20)}}
		b := w.again(m)
		b.boundary = "----=_NextPart_" + b.boundary[2:]
		return m, b
	}},
	{"HTML and plain", 120, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		b := w.again(m)
		b.page = htmlOf(m.text)
		if i%3 == 0 {
			b.text = ""
		} else if i%3 == 1 {
			m.page, m.boundary = b.page, "other"
		}
		return m, b
	}},
	{"banner or notice of a gateway", 80, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		b := w.received(m)
		if i%2 == 0 {
			b.text = "CAUTION: This mail comes from outside of the organization. Do not\nopen links or attachments unless you know the sender.\n------------------------------\n\n" + m.text
			b.subject = "[EXTERNAL] " + m.subject
		} else {
			b.text = m.text + "\n" + strings.Repeat("_", 40) + "\n" + wrap("This message and its attachments are confidential and are meant for the named recipient only. "+w.words(30), 72) + "\n"
		}
		return m, b
	}},
}

// received returns a message with another field of a relay, and its fields in the other order.
func (w *writer) received(m message) message {
	m.fields = append([]string{fmt.Sprintf("Received: from relay%d.example.org by mx.example.org; %s", w.IntN(99), m.date.Format(time.RFC1123Z))}, m.fields...)
	m.shuffled = !m.shuffled
	return m
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

// Quoting styles. A letter can also be attached.
var styles = []string{">", "separator", "HTML"}

const attached = "attached"

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

// answer returns a letter, and an answer that quotes it.
func (w *writer) answer(style string, i int) (m, b message) {
	m = w.letter(lengths[i/2%4])
	b = w.again(m)
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
	b.text, b.page = quote(style, wrap(w.words([]int{3, 10, 20, 40, 80}[i/8%5]), 72), i%2 == 0, m)
	if style == "HTML" {
		m.page, m.text = htmlOf(m.text), ""
	}
	return m, b
}

// forward returns a letter, and a message that forwards it, half of them with a few words.
func (w *writer) forward(style string, i int) (m, b message) {
	m = w.letter(lengths[i/2%4])
	b = w.again(m)
	b.from, b.subject = w.other(m.from), "Fwd: "+m.subject
	comment := ""
	if i%2 == 0 {
		comment = wrap(w.words(5), 72)
	}
	switch style {
	case attached:
		b.text, b.files = comment+"\n", []file{{"message/rfc822", m.String()}}
	case "HTML":
		_, b.page = quote(style, comment, true, m)
		m.page, m.text, b.text = htmlOf(m.text), "", ""
	default:
		b.text, b.page = quote(style, comment, true, m)
	}
	return m, b
}
