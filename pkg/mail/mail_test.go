package mail

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/fuzzysum"
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
		if got := strings.Join(strings.Fields(string(htmlText([]byte(page)))), " "); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}

// TestText compares the texts of the messages in testdata/mail with the .txt files next to them.
func TestText(t *testing.T) {
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
		got := Text(message, Hash)
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestAttachments(t *testing.T) {
	message := func(content string) []byte {
		return []byte("Content-Type: multipart/mixed; boundary=x\n\n--x\n\nsee the file\n--x\nContent-Type: application/pdf\n\n" + content + "\n--x--\n")
	}
	one, two := message("one"), message("two")
	if !bytes.Equal(Text(one, Skip), Text(two, Skip)) {
		t.Error("skipped attachments show")
	}
	if bytes.Equal(Text(one, Hash), Text(two, Hash)) {
		t.Error("attachments that differ hash alike")
	}
}

// TestAttachmentsWeigh checks that a different attachment changes at least six bits of the fuzzy
// sum of a message, whatever the length of the text, so that the messages do not count as
// duplicates.
func TestAttachmentsWeigh(t *testing.T) {
	h, err := fuzzysum.NewHasher(fuzzysum.Default())
	if err != nil {
		t.Fatal(err)
	}
	sum := func(text, content string) fuzzysum.Sum {
		h.Reset()
		h.Write(Text([]byte("Content-Type: multipart/mixed; boundary=x\n\n--x\n\n"+text+
			"\n--x\nContent-Type: application/pdf\n\n"+content+"\n--x--\n"), Hash))
		return h.Result().Sum
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for words := 50; words < 20000; words *= 2 {
		var text strings.Builder
		for range words {
			fmt.Fprintf(&text, "word%d ", int(100*rnd.ExpFloat64()))
		}
		if d := fuzzysum.Distance(sum(text.String(), "one"), sum(text.String(), "two")); d < 6 {
			t.Errorf("%d words: %d bits", words, d)
		}
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
		if got := Text([]byte(nest+"\nbottom"), Skip); len(bytes.TrimSpace(got)) != 0 {
			t.Errorf("%.60q", got)
		}
	}
}

// FuzzText looks for messages that crash Text or whose text is much longer than the message.
func FuzzText(f *testing.F) {
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
		if text := Text(message, Skip); len(text) > 8*len(message)+100 {
			t.Errorf("%d bytes of text", len(text))
		}
		header, body := Split(message)
		if !bytes.HasSuffix(message, body) || !bytes.Contains(message, header) {
			t.Errorf("%q, %q", header, body)
		}
	})
}

func BenchmarkText(b *testing.B) {
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
				Text(message, Skip)
			}
		})
	}
}

// TestDelimiters checks that a line ends a part only if nothing but white space follows the
// boundary or its closing "--".
func TestDelimiters(t *testing.T) {
	message := "Content-Type: multipart/mixed; boundary=x\n\nbefore\n--x \n\none\n--x --\n--xy\ntwo\n--x-- \t\nafter\n"
	if got, want := string(Text([]byte(message), Skip)), "\none\n--x --\n--xy\ntwo\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
