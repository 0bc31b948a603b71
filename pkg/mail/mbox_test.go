package mail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const (
	first  = "From a@example.org Mon Nov 16 10:00:00 2026\nSubject: a\n\nThe text of a.\n\n"
	second = "From b@example.org Mon Nov 16 10:01:00 2026\nSubject: b\n\nThe text of b.\n\n"
)

func TestMbox(t *testing.T) {
	later := "From now on, we meet on Mondays.\n\nFrom here: nothing\n\n"
	for _, c := range []struct {
		mbox string
		want []string
		err  error
	}{
		{"", nil, io.EOF},
		{"\n\r\n", nil, io.EOF},
		{first + second, []string{first, second}, io.EOF},
		{"\n" + first + later + second, []string{first + later, second}, io.EOF},
		{"\ufeff" + first + second, []string{"\ufeff" + first, second}, io.EOF},
		{crlf(first) + crlf(second), []string{crlf(first), crlf(second)}, io.EOF},
		{first + ">" + second + "Fromage\n", []string{first + ">" + second + "Fromage\n"}, io.EOF},
		{first + "From\n\n" + second + "F", []string{first + "From\n\n", second + "F"}, io.EOF},
		{"Subject: no mbox\n\n", nil, ErrNotMbox},
		{"Fro", nil, ErrNotMbox},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.mbox), iotest.OneByteReader(strings.NewReader(c.mbox)), iotest.DataErrReader(strings.NewReader(c.mbox))} {
			m := NewMboxReader(r)
			got, err := readAll(m)
			if d := cmp.Diff(c.want, got); d != "" || err != c.err || m.Doubt() != nil {
				t.Errorf("%q: %v, %v (-want +got):\n%s", c.mbox, err, m.Doubt(), d)
			}
		}
	}
}

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// TestDated lists separators that mail programs write, and lines that are none.
func TestDated(t *testing.T) {
	for line, want := range map[string]bool{
		"From a@example.org Mon Nov 16 10:00:00 2026":                             true,
		"From a@example.org  Mon Nov  6 10:00:00 2026\r\n":                        true,
		"From - Mon Nov 16 10:00:00 2026":                                         true,
		"From MAILER-DAEMON Mon Nov 16 10:00 2026":                                true,
		"From Mon Nov 16 10:00:00 2026":                                           true,
		"From a at example.org  Mon Nov 16 10:00:00 2026":                         true,
		"From 1234567890@xxx Mon Nov 16 10:00:00 +0000 2026":                      true,
		"From a@example.org Mon Nov 16 10:00:00 CET 2026 remote from host":        true,
		"From a@example.org Mon, 16 Nov 2026 10:00:00 +0000":                      true,
		`From "John Doe"@example.org Mon Nov 16 10:00:00 2026`:                    true,
		"From now on we meet on Mon Nov 16 10:00:00 2026":                         false,
		"From a@example.org Monday Nov 16 10:00:00 2026":                          false,
		"From a@example.org Mon Nov 16 2026":                                      false,
		"From a@example.org Mon 16 10:00:00 2026":                                 false,
		"From a@example.org":                                                      false,
		"From ":                                                                   false,
		"From Mon":                                                                false,
		"From the bridge, Mon Nov 16 10:00:00 2026, is all that could be written": false,
	} {
		if got := isDated([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestDoubt checks which lines are reported as doubtful, and how the mbox is split there.
func TestDoubt(t *testing.T) {
	within := "> see below\n\n" + second
	inner := fmt.Sprintf("Subject: c\nContent-Length: %03d\n\n", len(within)-1) + within
	length := fmt.Sprintf("%03d", len(within)-1)
	for name, c := range map[string]struct {
		mbox     string
		line     int64
		messages int
	}{
		"no empty line before a separator":           {strings.TrimSuffix(first, "\n") + second, 5, 2},
		"no header after a separator":                {first + "From b@example.org Mon Nov 16 10:01:00 2026\n\ntext\n", 6, 2},
		"a separator without a date":                 {first + "From b\nSubject: b\n\ntext\n", 6, 2},
		"the same, not after an empty line":          {first + "text\nFrom b\nSubject: b\n\n", 7, 1},
		"an address alone":                           {first + "From b@example.org\n\ntext\n", 6, 1},
		"a name alone":                               {first + "From Bob\n\ntext\n", 0, 1},
		"text that begins with From":                 {"From the editors\n\nThis is no mail.\n", 1, 1},
		"a message within the length of another":     {"From c Mon Nov 16 10:00:00 2026\n" + inner + first, 7, 2},
		"the same at the end":                        {"From c Mon Nov 16 10:00:00 2026\n" + inner, 7, 1},
		"a length that does not end at a separator":  {"From c Mon Nov 16 10:00:00 2026\n" + strings.Replace(inner, length, "80", 1) + first, 0, 3},
		"a length beyond the end":                    {"From c Mon Nov 16 10:00:00 2026\n" + strings.Replace(inner, length, "7777", 1) + first, 0, 3},
		"a length that ends at the next message":     {"From c Mon Nov 16 10:00:00 2026\nContent-Length: 5\n\ntext\n\n" + first, 0, 2},
		"a date is missing, but the length is right": {"From c Mon Nov 16 10:00:00 2026\nContent-Length: 5\n\ntext\n\nFrom b\nSubject: b\n\n", 0, 2},
	} {
		m := NewMboxReader(strings.NewReader(c.mbox))
		got, err := readAll(m)
		line := int64(0)
		if m.Doubt() != nil {
			line = m.Doubt().Line
		}
		if len(got) != c.messages || line != c.line || err != io.EOF || strings.Join(got, "") != c.mbox {
			t.Errorf("%s: %d messages, %v, %v\n%q", name, len(got), m.Doubt(), err, got)
		}
	}
}

// These functions split an mbox as other programs do: Python's module mailbox at each line that
// begins with "From ", mutt at each such line with a weekday, a month, a day, a time and a year, before
// which an address and the name of a terminal may be.
var muttLine = regexp.MustCompile(`^From (?:(?:"[^"]*"\S*|[^\s"]\S*) +(?:at +\S+ +)?(?:tty\S* +)?)?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +[0-9]{1,2} +[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: +(?:[A-Z]+|[+-][0-9]{4})){0,2} +[0-9]{4}\b`)

func isPythonStart(line string) bool { return strings.HasPrefix(line, "From ") }

func isMuttStart(line string) bool { return muttLine.MatchString(line) }

func splitAt(mbox string, isStart func(line string) bool) (all []string) {
	for line := range strings.Lines(mbox) {
		if len(all) == 0 || isStart(line) {
			all = append(all, "")
		}
		all[len(all)-1] += line
	}
	return all
}

var lengthField = regexp.MustCompile(`(?m)^Content-Length: ([0-9]+)\n`)

// splitByLength splits an mbox as programs do that trust Content-Length if a separator, after an empty
// line, or the end of the mbox follows. Other messages end at the next separator.
func splitByLength(mbox string) (all []string) {
	for mbox != "" {
		end := len(splitAt(mbox, isMuttStart)[0])
		header, body, _ := strings.Cut(mbox, "\n\n")
		if found := lengthField.FindStringSubmatch(header); found != nil {
			n, _ := strconv.Atoi(found[1])
			if n += len(mbox) - len(body); n <= len(mbox) {
				rest := strings.TrimPrefix(strings.TrimPrefix(mbox[n:], "\n"), "\n")
				if at := len(mbox) - len(rest); rest == "" || isMuttStart(rest) && mbox[at-1] == '\n' {
					end = at
				}
			}
		}
		all, mbox = append(all, mbox[:end]), mbox[end:]
	}
	return all
}

// checkSplit checks that an mbox without doubtful lines is split as mutt splits it, and by
// Content-Length, and that Python's module mailbox splits the messages only at lines that have no date
// and no header.
func checkSplit(t *testing.T, mbox string) (doubtful bool) {
	t.Helper()
	m := NewMboxReader(strings.NewReader(mbox))
	got, err := readAll(m)
	if err != io.EOF || strings.Join(got, "") != mbox {
		t.Errorf("%q: %v, %q", mbox, err, got)
	}
	if m.Doubt() != nil {
		return true
	}
	if d := cmp.Diff(splitAt(mbox, isMuttStart), got); d != "" {
		t.Errorf("%q (-mutt +got):\n%s", mbox, d)
	}
	if d := cmp.Diff(splitByLength(mbox), got); d != "" {
		t.Errorf("%q (-by Content-Length +got):\n%s", mbox, d)
	}
	for _, message := range got {
		for _, piece := range splitAt(message, isPythonStart)[1:] {
			if _, rest, _ := strings.Cut(piece, "\n"); isKnownField([]byte(rest)) {
				t.Errorf("%q: a message begins within %q", mbox, message)
			}
		}
	}
	return false
}

// TestSplitAsOthers compares the messages of random mboxes with those of other programs.
func TestSplitAsOthers(t *testing.T) {
	separators := []string{"From a@b Mon Nov 16 10:00:00 2026\n", "From Mon Nov  6 10:00 2026\n", "From a tty1 Tue Jan 1 10:00:00 CET 2026\n",
		"From a at b.org Wed Dec 31 1:02:03 +0100 2026\n", "From \"a b\"@c Thu Feb 1 10:00:00 2026 remote from x\n"}
	lines := []string{"\n", "\n", "text\n", "Note: text\n", "Subject: x\n", "X-A: b\n", ">From a@b Mon Nov 16 10:00:00 2026\n", "From now on\n", "From here: no\n", "From a@b\n"}
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(all []string) string { return all[rnd.IntN(len(all))] }
	doubtful := 0
	for range 1500 {
		mbox := ""
		for n := 1 + rnd.IntN(4); n > 0; n-- { // the last message first
			body := ""
			for range rnd.IntN(4) {
				body += pick(lines)
			}
			body += []string{"\n", "text\n\n", "text\n"}[rnd.IntN(3)]
			length := len(body) + []int{0, -1, 1, 3, len(mbox), len(mbox) / 2}[rnd.IntN(6)]
			message := pick(separators) + pick([]string{"", "Subject: y\n", "Subject: y\n", "X-A: y\n", fmt.Sprintf("Content-Length: %d\n", length), fmt.Sprintf("X: y\nContent-Length: %d\n", len(body)-1)})
			mbox = message + "\n" + body + mbox
		}
		if checkSplit(t, mbox) {
			doubtful++
		}
	}
	if doubtful < 300 || doubtful > 1200 {
		t.Errorf("%d of 1500 mboxes are doubtful", doubtful)
	}
}

// TestMboxError checks that a read error is returned after all complete messages, and that the
// incomplete message before the error is not returned.
func TestMboxError(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader(first+second), iotest.ErrReader(broken))
	got, err := readAll(NewMboxReader(r))
	if err != broken || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

// TestMboxBlocks checks that messages at any position in a block, and messages longer than a block,
// are returned in full.
func TestMboxBlocks(t *testing.T) {
	for _, size := range []int{1000, block - 7, block, 3 * block} {
		for shift := range 10 {
			message := first + strings.Repeat("x", size+shift) + "\n\n"
			got, err := readAll(NewMboxReader(strings.NewReader(message + message + message)))
			if err != io.EOF || len(got) != 3 || got[0] != message || got[1] != message || got[2] != message {
				t.Fatalf("size %d: %d messages, %v", size+shift, len(got), err)
			}
		}
	}
}

func FuzzMbox(f *testing.F) {
	f.Add(first + second + "From \n\r\nFrom c")
	f.Fuzz(func(t *testing.T, mbox string) {
		got, err := readAll(NewMboxReader(strings.NewReader(mbox)))
		slow, slowErr := readAll(NewMboxReader(iotest.OneByteReader(strings.NewReader(mbox))))
		if d := cmp.Diff(got, slow); d != "" || err != slowErr {
			t.Errorf("%q (-one block +bytes):\n%s", mbox, d)
		}
		if err == io.EOF && strings.Join(got, "") != strings.TrimLeft(mbox, "\r\n") {
			t.Errorf("%q: bytes are lost: %q", mbox, got)
		}
	})
}

func BenchmarkMbox(b *testing.B) {
	mbox := bytes.Repeat([]byte(first+strings.Repeat("words of a message\n", 200)+"\n"), 2000)
	b.SetBytes(int64(len(mbox)))
	b.ReportAllocs()
	for b.Loop() {
		m := NewMboxReader(bytes.NewReader(mbox))
		for {
			if _, err := m.Next(); err != nil {
				break
			}
		}
	}
}
