package mailsum

import (
	"fmt"
	"strings"
	"testing"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/mail"
)

func sumOf(t *testing.T, message string) fuzzysum.Result {
	t.Helper()
	s, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	return s.Sum(mail.Read([]byte(message)))
}

// text returns a text of n words of which most differ, and none occurs in a text with another key.
func text(key string, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "%s%d ", key, i%(n*9/10))
		if i%10 == 9 {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

const header = "From: Alice <alice@example.org>\nSubject: x\n"

// TestSame lists messages whose sum is that of the first one.
func TestSame(t *testing.T) {
	for _, n := range []int{10, 100} {
		body := text("word", n)
		want := sumOf(t, header+"\n"+body).Sum
		if want.Exact() != (n == 10) {
			t.Errorf("%d words: %s", n, want)
		}
		for name, message := range map[string]string{
			"wrapped again":    header + "\n" + strings.ReplaceAll(body, " ", "\n"),
			"a tag":            strings.Replace(header, ": x", ": [list] x", 1) + "\n" + body,
			"a footer":         header + "\n" + body + "\n____________\nTo leave the list, send a mail.\n",
			"another footer":   header + "\n" + body + "\n-- \nTo unsubscribe, write to x@example.org\n-=-=-=-=-\nhttps://x/\n",
			"a signature":      header + "\n" + body + "\n-- \nAlice\n",
			"a banner":         header + "\nCAUTION: this is from outside\n-----\n" + body,
			"hidden text":      header + "Content-Type: text/html\n\n<p style='display:none'>no</p>" + body + "&#847;&zwnj;",
			"a hidden class":   header + "Content-Type: text/html\n\n<style>p.pre, #x{display:none!important}</style><p class='a pre'>no</p><b id=x>not</b>" + body,
			"no size":          header + "Content-Type: text/html\n\n<p style='font-size:1px;color:#fff'>no</p><td style='font-size:0'>no<p style='font-size:13px'>" + body,
			"transparent text": header + "Content-Type: text/html\n\n<p style='color:transparent'>no</p><p style='text-indent:-9999px'>no</p>" + body,
			"a rewritten From": "From: Alice via list <list@example.org>\nX-Original-From: alice@example.org\nSubject: x\n\n" + body,
		} {
			if got := sumOf(t, message).Sum; got != want {
				t.Errorf("%d words, %s: %s, want %s", n, name, got, want)
			}
		}
	}
}

// TestOther lists messages whose sums are far from that of the first one.
func TestOther(t *testing.T) {
	for _, n := range []int{10, 100} {
		body := text("word", n)
		want := sumOf(t, header+"\n"+body).Sum
		attached := func(content string) string {
			return header + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" + body + "\n--b\nContent-Type: image/png\n\n" + content + "\n--b--\n"
		}
		sums := []fuzzysum.Sum{want}
		for name, message := range map[string]string{
			"an answer":              header + "\n" + text("reply", 10) + "\n\nAlice wrote:\n> " + strings.ReplaceAll(body, "\n", "\n> "),
			"a long answer":          header + "\n" + text("reply", 80) + "\n\nAlice wrote:\n> " + strings.ReplaceAll(body, "\n", "\n> "),
			"a forward":              header + "\n---------- Forwarded message ---------\n" + body,
			"another attachment":     attached("1"),
			"still another":          attached("2"),
			"quoted by another one":  strings.Replace(header, "alice", "bob", 1) + "\n> " + strings.ReplaceAll(body, "\n", "\n> "),
			"the same from somebody": strings.Replace(header, "alice", "carol", 1) + "\n" + text("word", 12),
			"a link":                 header + "Content-Type: text/html\n\n" + text("word", 12) + "<a href=https://x/1>x</a>",
			"another link":           header + "Content-Type: text/html\n\n" + text("word", 12) + "<a href=https://x/2>x</a>",
		} {
			got := sumOf(t, message).Sum
			for _, other := range sums {
				if got == other || !got.Exact() && !other.Exact() && fuzzysum.Distance(got, other) < 8 {
					t.Errorf("%d words, %s: %s and %s", n, name, got, other)
				}
			}
			sums = append(sums, got)
		}
	}
}

// TestRepeated checks that a word that is repeated often does not make sums equal.
func TestRepeated(t *testing.T) {
	for _, line := range []string{"0.0 0.0 0.0\n", "n/a\n", "https://example.org/\n", "host OK\n"} {
		sums := map[fuzzysum.Sum]bool{}
		for i := range 200 {
			body := strings.Repeat(line, 40) + text(fmt.Sprintf("a%d", i), 5+i) + line
			sums[sumOf(t, header+"\n"+body).Sum] = true
		}
		if len(sums) != 200 {
			t.Errorf("%q: %d sums of 200 texts", line, len(sums))
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, message := range []string{"", "From: a@example.org\n\n \n", "Subject: \n\n&#847;"[:11]} {
		if got := sumOf(t, message).Sum; got != fuzzysum.Empty {
			t.Errorf("%q: %s", message, got)
		}
	}
}

func TestScheme(t *testing.T) {
	o := Default()
	if got := o.Scheme(); got != "mime2" {
		t.Error(got)
	}
	o.SkipAttachments, o.Words, o.MinWords, o.Confidence, o.Reading = true, 8, 1<<31, 99.99999, fuzzysum.OneSided
	if got := o.Scheme(); got != "mime2/skip/w8/min2147483648/p99.99999/one" || len(got) > 48 {
		t.Error(got)
	}
}
