package same

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/mail"
)

func read(message string) *Message { return Read(mail.Read([]byte(message)), Default()) }

const (
	long = "The town council met on Monday evening to talk about the old bridge over the river. Engineers reported that two " +
		"of the five piers have begun to sink, and that heavy lorries should be kept away until the repair is finished.\n" +
		"The mayor asked for a second opinion before any money is spent. Total: -5 EUR.\n"
	head  = "From: Alice <alice@example.org>\nSubject: The bridge\n"
	id1   = "Message-ID: <1@example.org>\nDate: Mon, 16 Nov 2026 10:00:00 +0000\n"
	id2   = "Message-ID: <2@example.org>\nDate: Mon, 16 Nov 2026 11:00:00 +0000\n"
	newID = "Message-ID: <3@example.org>\nDate: Mon, 16 Nov 2026 10:00:00 +0000\n"
	list  = "List-Id: <talk.example.org>\nList-Post: <mailto:talk@example.org>\n"
	html1 = "Content-Type: text/html\n"

	report = "Content-Type: multipart/report; boundary=b\n\n--b\n\n" + long + "\n--b\nContent-Type: message/delivery-status\n\nAction: failed\nStatus: 5\n\n--b\nContent-Type: text\n\na\nb\n--b--\nafter\nall\n"
)

func alternative(plain, page string) string {
	return "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n" + plain + "\n--b\nContent-Type: text/html\n\n" + page + "\n--b--\n"
}

// wrap breaks the lines of a text before the word that would exceed 60 characters.
func wrap(text string) string {
	line := 0
	return regexp.MustCompile(`\s+(\S+)`).ReplaceAllStringFunc(text, func(word string) string {
		if line += len(word); line > 60 {
			line = len(word)
			return "\r\n" + word[1:]
		}
		return word
	})
}

// TestCompare compares pairs of messages in both orders.
func TestCompare(t *testing.T) {
	footer := "_______________\nTalk mailing list\nhttps://lists.example.org/talk\n"
	quoted := "> " + strings.ReplaceAll(strings.TrimSpace(long), "\n", "\n> ") + "\n"
	page := "<p>" + strings.ReplaceAll(strings.TrimSpace(long), "\n", "</p><p>") + "</p>"
	for name, c := range map[string]struct {
		a, b string
		copy bool
		why  string
	}{
		"sent again":                     {head + id1 + "\n" + long, head + id2 + "\n" + long, true, "equal"},
		"wrapped again":                  {head + id1 + "\n" + long, head + id2 + "\n" + wrap(long), true, "equal"},
		"an invisible mark":              {head + id1 + "\n" + long, head + id2 + "\n" + strings.Replace(long, "town", "to\u200bwn", 1), true, "equal"},
		"another sign":                   {head + id1 + "\n" + long, head + id1 + "\n" + strings.Replace(long, "-5", "5", 1), false, "other words"},
		"another case":                   {head + id1 + "\n" + long, head + id1 + "\n" + strings.Replace(long, "town", "Town", 1), false, "other words"},
		"another order":                  {head + id1 + "\n" + long, head + id1 + "\n" + strings.Replace(long, "old bridge", "bridge old", 1), false, "other words"},
		"through a list":                 {head + id1 + "\n" + long, strings.Replace(head, ": The", ": [Talk] The", 1) + id1 + list + "\n" + long + footer, true, "equal but for a tag and 8 words at the end"},
		"a list with a new Message-ID":   {head + id1 + "\n" + long, head + newID + list + "\n" + long + footer, true, "equal but for 8 words at the end"},
		"a banner":                       {head + id1 + "\n" + long, head + id1 + "\nCAUTION: from outside\n-----\n" + long, true, "equal but for 3 words at the start"},
		"a banner and a footer":          {head + id1 + "\n" + long, head + id1 + "\nCAUTION: from outside\n\n" + long + footer, false, "other words"},
		"two footers":                    {head + id1 + "\n" + long + footer, head + id1 + "\n" + long + "--\nother\n", false, "other words"},
		"a postscript":                   {head + id1 + "\n" + long, head + id2 + "\n" + long + "\nP.S.: not at five, at six.\n", false, "7 more words, other date"},
		"the end of a line":              {head + id1 + "\n" + long, head + id1 + "\n" + strings.TrimSpace(long) + " more\n", false, "other words"},
		"a long block":                   {head + id1 + "\n" + long, head + id1 + "\n" + long + strings.Repeat("word ", 121) + "\n", false, "other words"},
		"From rewritten by a list":       {head + id1 + "\n" + long, "From: Alice via Talk <talk@example.org>\nReply-To: alice@example.org\nSubject: The bridge\n" + newID + list + "\n" + long + footer, true, "equal but for 8 words at the end"},
		"two authors of a list":          {"From: A via Talk <talk@example.org>\nReply-To: a@example.org\nSubject: The bridge\n" + id1 + list + "\n" + long, "From: B via Talk <talk@example.org>\nReply-To: b@example.org\nSubject: The bridge\n" + id2 + list + "\n" + long, false, "other author"},
		"another author":                 {head + id1 + "\n" + long, strings.Replace(head, "alice", "bob", 1) + id2 + "\n" + long, false, "other author"},
		"another author, one Message-ID": {head + id1 + "\n" + long, strings.Replace(head, "alice", "bob", 1) + id1 + "\n" + long, true, "equal"},
		"another subject":                {head + id1 + "\n" + long, strings.Replace(head, ": The", ": Re: The", 1) + id2 + "\n" + long, false, "other subject"},
		"two tags":                       {strings.Replace(head, ": The", ": [1] The", 1) + id1 + "\n" + long, strings.Replace(head, ": The", ": [2] The", 1) + id1 + "\n" + long, false, "other subject"},
		"an answer":                      {head + id1 + "\n" + long, head + id2 + "In-Reply-To: <1@example.org>\n\n" + long, false, "an answer"},
		"answers to two messages":        {head + id1 + "In-Reply-To: <8@example.org>\n\n" + long, head + id2 + "In-Reply-To: <9@example.org>\n\n" + long, false, "answers to two messages"},
		"a placeholder for Message-ID":   {head + "Message-ID: <>\n\nYes.\n", strings.Replace(head, "alice", "bob", 1) + "Message-ID: <>\n\nYes.\n", false, "other author"},
		"a tag without a list":           {head + id1 + "\n" + long, strings.Replace(head, ": The", ": [CANCELLED] The", 1) + id2 + "\n" + long, false, "other subject"},
		"an answer in Outlook":           {head + id1 + html1 + "\n<div>Yes.</div><div id=divRplyFwdMsg><b>From:</b> Bob</div><div>" + long + "</div>", head + id2 + html1 + "\n<div>Yes.</div><div id=divRplyFwdMsg><b>From:</b> Bob</div><div>" + long + "</div>", false, "few words, other date"},
		"bytes after the padding":        {head + id1 + "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nQUI=\nQUI=\n", head + id1 + "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nQUI=\nQUM=\n", false, "other attachments"},
		"an incomplete group":            {head + id1 + "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nQUJDQ\n", head + id1 + "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nQUJDR\n", false, "other attachments"},
		"an answer without a field":      {head + id1 + "\n" + long, head + id2 + "\nYes.\n\n" + quoted, false, "other words"},
		"all quoted":                     {head + id1 + "\n" + long, head + id2 + "\n" + quoted, false, "other words"},
		"an attached original":           {head + id1 + "\n" + long, head + id2 + "Content-Type: message/rfc822\n\n" + head + "\n" + long, false, "other parts"},
		"few words, another day":         {head + id1 + "\nbackup: ok\n", head + id2 + "\nbackup: ok\n", false, "few words, other date"},
		"few words, one date":            {head + id1 + "\nbackup: ok\n", head + strings.Replace(id1, "1@", "3@", 1) + "\nbackup: ok\n", true, "equal"},
		"few words, one date, zones":     {head + id1 + "\nbackup: ok\n", head + "Date: Mon, 16 Nov 2026 12:00:00 +0200\n\nbackup: ok\n", true, "equal"},
		"few words, no date":             {head + "\nbackup: ok\n", head + "\nbackup: ok\n", false, "few words, other date"},
		"other links":                    {head + id1 + html1 + "\n" + page + "<a href=https://x/1>here</a>", head + id1 + html1 + "\n" + page + "<a href=https://x/2>here</a>", false, "other links"},
		"other images":                   {head + id1 + html1 + "\n" + page + "<img src=https://x/1>", head + id1 + html1 + "\n" + page + "<img src=https://x/2>", false, "other links"},
		"other attachments":              {head + id1 + "Content-Type: image/png\n\n1", head + id1 + "Content-Type: image/png\n\n2", false, "other attachments"},
		"encrypted":                      {head + id1 + "Content-Type: application/pkcs7-mime\n\nx", head + id1 + "Content-Type: application/pkcs7-mime\n\ny", false, "other attachments"},
		"HTML and plain":                 {head + id1 + html1 + "\n" + page, head + id2 + "\n" + long, true, "equal"},
		"plain and both":                 {head + id1 + "\n" + long, head + id2 + alternative(long, page), true, "equal"},
		"HTML and both":                  {head + id1 + html1 + "\n" + page, head + id2 + alternative(long, page), true, "equal"},
		"both":                           {head + id1 + alternative(long, page), head + id2 + alternative(long, page), true, "equal"},
		"both, other HTML":               {head + id1 + alternative(long, page), head + id1 + alternative(long, strings.Replace(page, "</p>", " and more</p>", 1)), false, "other words"},
		"a stub":                         {head + id1 + alternative("Open the HTML.", page), head + id1 + alternative("Open the HTML.", strings.Replace(page, "bridge", "other bridge", 1)), false, "other words"},
		"HTML that says more":            {head + id1 + "\n" + long, head + id2 + alternative(long, strings.Replace(page, "bridge", "other bridge", 1)), false, "two forms"},
		"HTML with a link more":          {head + id1 + "\n" + long, head + id2 + alternative(long, strings.Replace(page, "bridge", "<a href=https://x/1>bridge</a>", 1)), false, "two forms"},
		"comments in fields":             {head + id1 + "Content-Type: text/plain (c); charset=latin-1 (x)\nContent-Transfer-Encoding: 8bit (x)\n\n" + long, head + id1 + "\n" + long, true, "equal"},
		"columns":                        {head + id1 + "\n" + long + "a\tb\n", head + id1 + "\n" + long + "a b\n", false, "other layout"},
		"other tags":                     {head + id1 + html1 + "\n" + page, head + id1 + html1 + "\n" + page + "<input value=1>", false, "other markup"},
		"no words":                       {head + strings.Replace(id1, "Message-ID", "X", 1) + "\n", head + strings.Replace(id1, "Message-ID", "X", 1) + "\n\n", false, "no content"},
		"line ends of a report":          {head + id1 + report, head + id1 + strings.ReplaceAll(report, "\n", "\r\n"), true, "equal"},
		"no header":                      {long, long, false, "no header"},
	} {
		a, b := read(c.a), read(c.b)
		for range 2 {
			v := Compare(a, b)
			if v.Copy != c.copy || v.Why != c.why {
				t.Errorf("%s: %+v, want %q", name, v, c.why)
			}
			if v.Copy && !meet(a, b) {
				t.Errorf("%s: the keys do not meet", name)
			}
			a, b = b, a
		}
	}
}

// meet reports whether the keys of two messages make them candidates.
func meet(a, b *Message) bool {
	has := func(x, y []uint64) bool {
		return slices.ContainsFunc(x, func(key uint64) bool { return slices.Contains(y, key) })
	}
	fullA, cutsA := a.Keys()
	fullB, cutsB := b.Keys()
	return has(fullA, fullB) || has(fullA, cutsB) || has(cutsA, fullB)
}

// TestKeys checks, for random messages, that the keys of copies meet.
func TestKeys(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	message := func() string {
		text := ""
		for i := range []int{1, 38, 41}[rnd.IntN(3)] {
			text += fmt.Sprintf("word%d ", i)
		}
		text += "\n"
		if rnd.IntN(2) == 0 {
			text += "one more line\n"
		}
		if rnd.IntN(4) == 0 {
			text = "a line before\n" + text
		}
		m := fmt.Sprintf("From: a%d@example.org\n", rnd.IntN(2))
		if rnd.IntN(2) == 0 {
			m += fmt.Sprintf("Message-ID: <%d@example.org>\n", rnd.IntN(2))
		}
		if rnd.IntN(4) > 0 {
			m += fmt.Sprintf("Date: Mon, 16 Nov 2026 10:00:0%d +0000\n", rnd.IntN(2))
		}
		if rnd.IntN(3) == 0 {
			m += list
		}
		switch rnd.IntN(3) {
		case 0:
			return m + alternative(text, "<p>"+strings.ReplaceAll(text, "\n", "<p>"))
		case 1:
			return m + html1 + "\n" + "<p>" + strings.ReplaceAll(text, "\n", "<p>")
		}
		return m + "\n" + text
	}
	copies := 0
	for range 4000 {
		a, b := read(message()), read(message())
		if !Compare(a, b).Copy {
			continue
		}
		copies++
		if !meet(a, b) {
			t.Fatalf("the keys of copies do not meet: %+v, %+v", a, b)
		}
	}
	if copies < 100 {
		t.Errorf("only %d copies", copies)
	}
}

// FuzzRead checks that a message with a Message-ID is a copy of itself, and that none crashes Read. A
// message with two fields Message-ID has none.
func FuzzRead(f *testing.F) {
	f.Add(head + id1 + alternative(long, "<p>"+long))
	f.Add(head + list + "\n" + long)
	f.Add("To: <alice@example.org>\nSubject: The bridge\nMessage-ID:")
	f.Fuzz(func(t *testing.T, text string) {
		m := read("Message-ID: <1@example.org>\n" + text)
		if v := Compare(m, m); m.ID != "" && !v.Copy {
			t.Errorf("%q: %+v", text, v)
		}
	})
}
