package mail

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct{ message, header, body string }{
		{"", "", ""},
		{"A: b\n\nbody\n", "A: b\n", "body\n"},
		{"A: b\r\n\r\nbody\r\n", "A: b\r\n", "body\r\n"},
		{"From a@b now\nA: b\n c\n\nbody", "A: b\n c\n", "body"},
		{"A: b", "A: b", ""},
		{"\nbody", "", "body"},
		{"no header at all\n", "", "no header at all\n"},
		{"A: b\nno field\n\nbody", "A: b\n", "no field\n\nbody"},
		{" not: continued\n", "", " not: continued\n"},
	} {
		header, body := Split([]byte(c.message))
		if string(header) != c.header || string(body) != c.body {
			t.Errorf("Split(%q) = %q, %q", c.message, header, body)
		}
	}
}

func TestGet(t *testing.T) {
	header := Header("Subject:one\r\n  two\r\n\tthree\r\nsubject: later\r\nEmpty:\r\n")
	for name, want := range map[string]string{"SUBJECT": "one two three", "Empty": "", "Absent": ""} {
		if got := string(header.Get(name)); got != want {
			t.Errorf("Get(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestPlain compares the result of Plain with recorded output of the commands formail (version
// 3.22) and cut.
func TestPlain(t *testing.T) {
	long := strings.Repeat("0123456789", 8)
	for _, c := range []struct{ message, want string }{
		{"Subject: hello\n world\n\nbody\n", "hello\nworld\n\nbody\n"},
		{"Subject:hello\nX: y\nSUBJECT:  two\n\n", "ello\n two\n\n"},
		{"Subject: " + long + "\n\n", long[:70] + "\n\n"},
		{"Subject:\n folded\nno field\n\nbody\n", "\nfolded\n\nno field\n\nbody\n"},
		{"just text\n", "\njust text\n"},
	} {
		subject, body := Plain([]byte(c.message))
		if d := cmp.Diff(c.want, string(subject)+string(body)); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.message, d)
		}
	}
}

func readAll(m *MboxReader) (all []string, err error) {
	for {
		message, err := m.Next()
		if err != nil {
			return all, err
		}
		all = append(all, string(message))
	}
}

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"a=3D=\r\nb=  \n c=E4=e4": "a=b c\xe4\xe4",
		"100 = 1 =G0 =":           "100 = 1 =G0 ",
		"":                        "",
		"=\n":                     "",
	} {
		if got := string(decodeQuotedPrintable([]byte(text))); got != want {
			t.Errorf("quoted-printable %q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"aGVs\r\nbG8=": "hello",
		"aGVsbG8":      "hello",
		"a G*V-sb":     "hel",
		"aGVsb":        "hel",
		"!":            "",
		"YQ==YQ==":     "a\x06\x10",
	} {
		if got := string(decodeBase64([]byte(text))); got != want {
			t.Errorf("base64 %q: %q, want %q", text, got, want)
		}
	}
}

func TestHTML(t *testing.T) {
	for page, want := range map[string]string{
		"<p>one<p>two":                       "one two",
		"f<b>oo</b>b<i class=x>a</i>r":       "foobar",
		"a<br/>b<BR>c<td>d":                  "a b c d",
		"&eacute;&#233;&amp;&lt;p&gt;&bogus": "éé&<p>&bogus",
		"<style>p > b {}</style>shown":       "shown",
		"<SCRIPT>if (a</b) {}</Script >end":  "end",
		"a<!-- <p>hidden</p> -->b":           "ab",
		"1 < 2 <3":                           "1 < 2 <3",
		"a<!-- never closed":                 "a",
		"a<script>never closed":              "a",
		"a<p never closed":                   "a",
		"<!DOCTYPE html><html><head><title>t</title><body>text</html>": "text",
		"<p title='a > b'>text":                      "text",
		"a<noscript><p>b <i>c</i></noscript>":        "a b c",
		"<script>s<!-- <script>t</script>u</script>": "",
		"": "",
	} {
		if got := shown(htmlLines([]byte(page))); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}

// shown returns the words of some lines, and the targets in angle brackets.
func shown(lines []Line) string {
	var words []string
	for _, l := range lines {
		if l.Kind == Target {
			words = append(words, "<"+string(l.Text)+">")
			continue
		}
		words = append(words, strings.Fields(string(l.Text))...)
	}
	return strings.Join(words, " ")
}

// TestHidden checks that text that is not shown is left out, and that the targets of links and
// images are found.
func TestHidden(t *testing.T) {
	for page, want := range map[string]string{
		`a<div style="display: none !important">b<p>c</div>d`: "a d",
		`a<p hidden>b<p>c`:                                                                                               "a c",
		`a<span style="font-size:0px">b</span>c`:                                                                         "ac",
		`a<span style="font-size:0.9em">b</span> c`:                                                                      "ab c",
		`a<div style="max-height:0;overflow:hidden">b</div>`:                                                             "a",
		`<ul><li style="visibility:hidden">a<li>b</ul>c`:                                                                 "b c",
		`a<td style="font-size:0"><b style="font-size:9px">b</b>c<b style="font-size:1em">d`:                             "a b",
		`a<p style="font-size:1px">b<p style="color:transparent">c`:                                                      "a",
		`a<p style="text-indent:-9999px">b`:                                                                              "a",
		`<style>.x, p#y{display:none} .z.z{display:none}</style><p class="k x">a<p id=y>b<p class=z>c<b id=y>d`:          "cd",
		`<style>@media (max-width:9px){.x{display:none}.y{color:red}}/*.x{display:none}*/</style><p class=x>a`:           "a",
		`<style>.x{display:none}.x{display:block}.y{display:none}</style><p class=x>a<p class=y style="display:block">b`: "a b",
		`a<p style="mso-hide:all">b`:                                                                                     "a b",
		`a<br style="display:none">b`:                                                                                    "a b",
		"a&#847;&zwnj;&nbsp;&#8203;&#xfe0f;b&shy;c":                                                                      "a bc",
		`<a href="https://x/y">here</a>`:                                                                                 "here <https://x/y>",
		`<a href="https://x/y">https://x/y</a>.`:                                                                         "https://x/y.",
		`<a href="mailto:a@b">a@b</a>`:                                                                                   "a@b",
		`<a href=" https://x/ y ">a<p>b`:                                                                                 "a b <https://x/%20y>",
		`<img src=https://x/1.png><img src=cid:1><img src=p width=1>`:                                                    "<https://x/1.png>",
		`<div style="display:none"><a href=x>y</a></div>z`:                                                               "z",
		`<form action=x>a</form>`:                                                                                        "<x> a",
	} {
		if got := shown(htmlLines([]byte(page))); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}

// TestQuotes checks which lines are the author's own, an introduction (I) or quoted (Q).
func TestQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"yes\n\nOn Monday, Alice\nwrote:\n> no\n>> so\nend": "yes I:On Monday, Alice I:wrote: Q:no Q:so end",
		"> no\n\nyes":  "Q:no yes",
		"AB> no\n| so": "Q:no Q:so",
		">From here":   "From here",
		"yes\n-----Original Message-----\nFrom: a\n\nno":                                      "yes Q:-----Original Message----- Q:From: a Q:no",
		"yes\n________________________________\nVon: a\nGesendet: b\nAn: c\nBetreff: d\n\nno": "yes ________________________________ Q:Von: a Q:Gesendet: b Q:An: c Q:Betreff: d Q:no",
		"yes\n\nBegin forwarded message:\n\nno":                                               "yes Q:Begin forwarded message: Q:no",
		"From: here\nTo: there\nand back":                                                     "From: here To: there and back",
		"ends with:\ntext":                                                                    "ends with: text",
	} {
		var got []string
		for _, l := range Read([]byte("Subject: x\n\n" + text)).Plain {
			if len(l.Text) > 0 {
				got = append(got, map[Kind]string{Own: "", Intro: "I:", Quoted: "Q:"}[l.Kind]+string(l.Text))
			}
		}
		if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
	page := `yes<div class="gmail_quote">A wrote:<blockquote>no</blockquote></div>end`
	if got := htmlLines([]byte(page)); len(got) != 4 || got[0].Kind != Own || got[2].Kind != Quoted || got[3].Kind != Own {
		t.Errorf("%v", got)
	}
}

// TestContent compares the contents of the messages in testdata/mail with the .txt files next to
// them.
func TestContent(t *testing.T) {
	names, err := filepath.Glob("../../testdata/mail/*.eml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no messages: %v", err)
	}
	for _, name := range names {
		message, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(name, ".eml") + ".txt"
		c := Read(message)
		got := fmt.Sprintf("%s\n%s\n", c.Header.Subject(), shown(c.Plain))
		if c.TwoForms {
			got += shown(c.Rich) + "\n"
		}
		for _, sum := range c.Attached {
			got += fmt.Sprintf("%x\n", sum)
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestForms checks the two forms of a text, attached messages and digests.
func TestForms(t *testing.T) {
	multipart := func(kind string, parts ...string) []byte {
		return []byte("Content-Type: multipart/" + kind + "; boundary=----=_x.1\n\n------=_x.1\n" + strings.Join(parts, "\n------=_x.1\n") + "\n------=_x.1--\n")
	}
	page := "Content-Type: text/html\n\n<p>in <b>HTML</b>, a long text</p>"
	for name, c := range map[string]struct {
		message           []byte
		plain, rich, main string
		attached          int
	}{
		"two forms":           {multipart("alternative", "\nin plain text", page), "in plain text", "in HTML, a long text", "in plain text", 0},
		"a stub":              {multipart("alternative", "\nsee", page), "see", "in HTML, a long text", "in HTML, a long text", 0},
		"a blank form":        {multipart("alternative", "\n ", page), "in HTML, a long text", "in HTML, a long text", "in HTML, a long text", 0},
		"a calendar":          {multipart("alternative", "\nin plain", "Content-Type: application/ics\n\nx"), "in plain", "in plain", "in plain", 1},
		"a digest":            {multipart("digest", "\nSubject: one\n\nfirst", "\nSubject: two\n\nsecond"), "one first two second", "one first two second", "one first two second", 0},
		"attachments":         {multipart("mixed", "\ntext", "Content-Disposition: attachment\n\nx", "Content-Type: image/png\n\ny"), "text", "text", "text", 2},
		"encrypted":           {multipart("encrypted", "Content-Type: application/pgp-encrypted\n\nx", "Content-Type: application/octet-stream\n\ny"), "", "", "", 2},
		"nested alternatives": {multipart("mixed", strings.ReplaceAll(string(multipart("alternative", "\nin plain text", page)), "_x.1", "_y"), "\nfooter"), "in plain text footer", "in HTML, a long text footer", "in plain text footer", 0},
	} {
		got := Read(c.message)
		if shown(got.Plain) != c.plain || shown(got.Rich) != c.rich || shown(got.Main()) != c.main || len(got.Attached) != c.attached {
			t.Errorf("%s: %q, %q, %q, %d attachments", name, shown(got.Plain), shown(got.Rich), shown(got.Main()), len(got.Attached))
		}
	}
	for _, l := range Read(multipart("digest", "\nSubject: one\n\nfirst")).Plain {
		if l.Kind != Quoted {
			t.Errorf("%q is not quoted", l.Text)
		}
	}
}

// TestLenient checks media types, encodings and headers that are not as the standards require.
func TestLenient(t *testing.T) {
	for _, message := range []string{
		"Content-Type: text/plain; charset=iso-8859-1;;\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9",
		"Content-Type: text/plain (text); charset=\"iso-8859-1\" (Latin)\nContent-Transfer-Encoding: base64 (MIME)\n\nY2Fm6Q==",
		"Content-Type: Text/Plain charset=x; charset=latin-1\nContent-Transfer-Encoding : 8bit\n\ncaf\xe9",
		"\ufeffContent-Type: text/plain\n>From a@example.org Mon Nov 16 10:00:00 2026\nX-A: b\n\n\ufeffcafé",
		"Content-Type: multipart/mixed; boundary=----=_Next.1\n\n------=_Next.1\n\ncafé\n------=_Next.1--\n",
		"Content-Type: text/plain; charset=utf-7\n\ncaf+AOk-",
		"Content-Type: text/plain; charset=cp437\n\ncaf\x82",
		"Content-Type: text/plain; charset=utf-32\n\n\x00\x00\xfe\xff\x00\x00\x00c\x00\x00\x00a\x00\x00\x00f\x00\x00\x00\xe9",
		"Content-Type: text/plain; charset=utf-16\n\n\xff\xfec\x00a\x00f\x00\xe9\x00",
	} {
		if got := shown(Read([]byte(message)).Plain); got != "café" {
			t.Errorf("%q: %q", message, got)
		}
	}
	for charset, text := range map[string]string{
		"iso-2022-kr": "\x1b$)C\n\x0eGQ1[\x0f", "cp949": "\xc7\xd1\xb1\xdb", "euc-kr": "\xc7\xd1\xb1\xdb",
	} {
		if got := strings.TrimSpace(string(decodeCharset([]byte(text), charset))); got != "한글" {
			t.Errorf("%s: %q", charset, got)
		}
	}
	if got := string(decodeCharset([]byte("\x93\xfa\x96\x7b"), "CP932")); got != "日本" {
		t.Errorf("cp932: %q", got)
	}
	for text, want := range map[string]string{"a+-b": "a+b", "+": "+", "a+AOk": "aé", "+AOk-+AOk-": "éé", "+A": ""} {
		if got := string(decodeUTF7([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := string(Header("Subject : x\n").Subject()); got != "x" {
		t.Errorf("%q", got)
	}
}

// TestNesting checks that parts nested too deeply are not shown and take little time.
func TestNesting(t *testing.T) {
	var deep strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	forwards := strings.Repeat("Content-Type: message/rfc822\n\n", 10000)
	for _, nest := range []string{deep.String(), forwards} {
		if got := shown(Read([]byte(nest + "\nbottom")).Plain); got != "" {
			t.Errorf("%.60q", got)
		}
	}
}

// FuzzRead looks for messages that crash Read or whose text is much longer than the message.
func FuzzRead(f *testing.F) {
	names, _ := filepath.Glob("../../testdata/mail/*.eml")
	for _, name := range names {
		message, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(message)
		f.Add(message[:len(message)/2])
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		c := Read(message)
		if text := shown(c.Plain) + shown(c.Rich); len(text) > 16*len(message)+100 {
			t.Errorf("%d bytes of text", len(text))
		}
		header, body := Split(message)
		if !bytes.HasSuffix(message, body) || !bytes.Contains(message, header) {
			t.Errorf("%q, %q", header, body)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	names, _ := filepath.Glob("../../testdata/mail/*.eml")
	for _, name := range names {
		message, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				Read(message)
			}
		})
	}
}

// TestDelimiters checks that a line ends a part only if nothing but white space follows the
// boundary or its closing "--".
func TestDelimiters(t *testing.T) {
	message := "Content-Type: multipart/mixed; boundary=x\n\nbefore\n--x \n\none\n--x --\n--xy\ntwo\n--x-- \t\nafter\n"
	if got, want := shown(Read([]byte(message)).Plain), "one --x -- --xy two"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
