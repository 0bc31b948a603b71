package main

import (
	"fmt"
	"strings"
	"time"
)

// alike lists the kinds of pairs of messages that are much alike, but not copies.
var alike = []kind{
	{"orders from a template", 400, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject = "shop@example.com", "Your order"
		body := w.words([]int{15, 30, 60, 100}[i%4])
		m.text = order(w, body)
		b := w.again(m)
		b.text = order(w, body)
		return m, b
	}},
	{"notes with another date", 150, func(w *writer, i int) (message, message) {
		m := w.letter([]int{20, 50, 90}[i%3])
		m.text = strings.Replace(m.text, " ", " on "+day(w)+" ", 1)
		b := w.again(m)
		b.text = strings.Replace(m.text, " on ", " on "+day(w)+", ", 1)
		return m, b
	}},
	{"stubs of HTML", 150, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject = "news@example.com", "News"
		stub := "This is a mail in HTML. Please open it in a program that can show HTML, or see it in your browser."
		m.text, m.page = stub, htmlOf(w.paragraphs(60, 72))
		b := w.again(m)
		b.page = htmlOf(w.paragraphs(60, 72))
		return m, b
	}},
	{"images only", 150, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.subject, m.text = "Photo", ""
		m.files = []file{{"image/jpeg", w.words(30)}}
		if i%2 == 0 {
			m.files, m.page = nil, fmt.Sprintf(`<html><body><img src="https://example.com/%d.jpg"></body></html>`, w.Uint32())
		}
		b := w.again(m)
		b.files = []file{{"image/jpeg", w.words(30)}}
		if i%2 == 0 {
			b.files, b.page = nil, fmt.Sprintf(`<html><body><img src="https://example.com/%d.jpg"></body></html>`, w.Uint32())
		}
		return m, b
	}},
	{"other links", 150, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject = "service@example.com", "Reset your password"
		text := w.words([]int{10, 60}[i%2])
		page := func() string {
			return fmt.Sprintf(`<html><body><p>%s <a href="https://example.com/reset?t=%d">Reset it here</a>.</p></body></html>`, text, w.Uint64())
		}
		m.text, m.page = text, page()
		b := w.again(m)
		b.page = page()
		if i%3 == 0 {
			m.text, b.text = "", ""
		}
		return m, b
	}},
	{"short answers of several people", 200, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.subject, m.text = "Meeting", pick(w, []string{"Yes, I will come.", "No, sorry.", "Fine with me!", "+1", "Thanks a lot."})
		b := w.again(m)
		b.from = w.other(m.from)
		if i%4 == 0 {
			b.date = m.date
		}
		return m, b
	}},
	{"the same few words on another day", 150, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject = "cron@example.com", "backup"
		m.text = pick(w, []string{"backup: ok", "0 errors", ""})
		return m, w.again(m)
	}},
	{"tables of zeros", 100, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject = "cron@example.com", "load"
		m.text = table(w)
		b := w.again(m)
		b.text = table(w)
		return m, b
	}},
	{"repeated lines", 100, func(w *writer, i int) (message, message) {
		line := pick(w, []string{"n/a", "host%d OK", "https://example.com/", "* * * * *"}) + "\n"
		m := w.letter(1)
		m.from, m.subject = "cron@example.com", "hosts"
		lines := func() string {
			n := w.IntN(100)
			return strings.ReplaceAll(strings.Repeat(line, 20+n), "%d", fmt.Sprint(n)) + w.words(12) + "\n"
		}
		m.text = lines()
		b := w.again(m)
		b.text = lines()
		return m, b
	}},
	{"padding", 100, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject = "news@example.com", "News"
		page := func() string {
			hiddenText := `<div style="display:none; max-height:0">` + strings.Repeat("&#847;&zwnj;&nbsp;", 80) + strings.Repeat("All the news of the week in one mail. ", 10) + "</div>"
			return "<html><body>" + hiddenText + htmlOf(w.words(20+w.IntN(40))) + "</body></html>"
		}
		m.text, m.page = "", page()
		b := w.again(m)
		b.page = page()
		return m, b
	}},
	{"encrypted", 60, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.subject, m.text = "...", ""
		m.files = []file{{"application/pgp-encrypted", "Version: 1\n"}, {"application/octet-stream", w.words(100)}}
		b := w.again(m)
		b.files = []file{m.files[0], {"application/octet-stream", w.words(100)}}
		return m, b
	}},
	{"a postscript", 60, func(w *writer, i int) (message, message) {
		m := w.letter(120)
		b := w.again(m)
		b.text = m.text + "\nP.S.: " + w.words(5+w.IntN(20)) + "\n"
		return m, b
	}},
	{"the same text by another author", 40, func(w *writer, i int) (message, message) {
		m := w.letter(90)
		b := w.again(m)
		b.from = w.other(m.from)
		return m, b
	}},
	{"short answers with a notice", 150, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.subject = "Meeting"
		m.text = pick(w, []string{"Yes, I will come.", "No, sorry.", "Dear all,\n\nfine with me!"}) + "\n" +
			[]string{"\n", "-- \n", "", "\n____________________\n"}[i%4] + wrap(w.words(40+w.IntN(60)), 72) + "\n"
		return m, w.again(m)
	}},
	{"other markup", 200, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject = "news@example.com", "News"
		body := htmlOf(w.paragraphs(90, 72))
		page := func() string { return strings.Replace(body, "</body>", markup(w, i)+"</body>", 1) }
		m.text, m.page = "", page()
		b := w.again(m)
		b.page = page()
		if i%2 == 0 {
			b.id, b.date = m.id, m.date
		}
		return m, b
	}},
	{"one address of several senders", 150, func(w *writer, i int) (message, message) {
		m := w.letter(60)
		m.subject = "Your account"
		m.from, m.to = "Service <noreply@example.com>", addressOf(pick(w, people))
		b := w.again(m)
		switch i % 3 {
		case 0:
			b.to = "other." + m.to
		case 1:
			m.from, b.from = w.other("")+" via Service <noreply@example.com>", "The other "+m.from
		case 2:
			m.fields, b.fields = []string{"Reply-To: a@example.com"}, []string{"Reply-To: b@example.com"}
		}
		if i%2 == 0 {
			b.date = m.date
		}
		return m, b
	}},
	{"a postscript with the same date", 60, func(w *writer, i int) (message, message) {
		m := w.letter(120)
		b := w.again(m)
		b.date = m.date
		if i%2 == 0 {
			b.id = m.id
		}
		b.text = m.text + "\nP.S.: " + w.words(5+w.IntN(20)) + "\n"
		return m, b
	}},
	{"reminders and reports with the same text", 100, func(w *writer, i int) (message, message) {
		m := w.letter(lengths[i%4])
		b := w.again(m)
		b.date = m.date.AddDate(0, 0, 7*(1+i%5))
		if i%4 == 0 {
			m.fields = []string{"Auto-Submitted: auto-generated"}
			b.fields, b.date = m.fields, m.date.AddDate(0, 0, 1)
		}
		return m, b
	}},
	{"one Message-ID of several mails", 60, func(w *writer, i int) (message, message) {
		m := w.letter(1)
		m.from, m.subject, m.text = "cron@example.com", "backup", "backup: ok\n"
		m.id, m.date = []string{"< @ >", "<%MSGID%@example.com>", "<null@example.com>"}[i%3], time.Time{}
		b := m
		b.to = addressOf(pick(w, people))
		return m, b
	}},
	{"other white space that is shown", 60, func(w *writer, i int) (message, message) {
		m := w.letter(90)
		b := m
		forms := []string{"<pre>a%sb</pre>", `<a href="https://example.com/a%sb">x</a>`, "if a:\n%sb\n"}
		form := forms[i%3]
		m.text, b.text = m.text+fmt.Sprintf(form, " "), m.text+fmt.Sprintf(form, "  ")
		if i%3 < 2 {
			m.page, m.text, b.page, b.text = "<p>"+m.text, "", "<p>"+b.text, ""
		}
		return m, b
	}},
}

// markup returns one of several forms of HTML whose words are always the same.
func markup(w *writer, i int) string {
	n := w.Uint32()
	return fmt.Sprintf([]string{
		`<img srcset="https://example.com/%d.png 2x">`,
		`<div style="background: url(https://example.com/%d.png)">more</div>`,
		`<img src="https://example.com/a.png" alt="Total: %d EUR">`,
		`<input value="%d">`,
		`<ol start="%d"><li>more</li></ol>`,
		`<button formaction="https://example.com/%d">more</button>`,
		`<!--[if mso]><p>%d</p><![endif]-->`,
		`<object data="https://example.com/%d"></object>`,
	}[i/2%8], n)
}

func order(w *writer, body string) string {
	return fmt.Sprintf("Order %d of %s\n\n%s\n\nTotal: %d.%02d EUR\n", 10000+w.IntN(90000), day(w), wrap(body, 72), w.IntN(900), w.IntN(100))
}

func day(w *writer) string { return fmt.Sprintf("2026-%02d-%02d", 1+w.IntN(12), 1+w.IntN(28)) }

// table returns a table of numbers, nearly all of which are 0.
func table(w *writer) string {
	var out strings.Builder
	for i := range 12 {
		fmt.Fprintf(&out, "%02d:00 0.0 0.0 0.0\n", i)
		if w.IntN(3) == 0 || i == 5 {
			fmt.Fprintf(&out, "%02d:30 0.0 %d.%d 0.0\n", i, w.IntN(10), w.IntN(1000))
		}
	}
	return out.String()
}
