package mail

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// plainSplit is the oracle for MboxReader: it splits an mbox line by line.
func plainSplit(mbox string) (all []string) {
	mbox = strings.TrimLeft(mbox, "\r\n")
	empty := true
	for line := range strings.Lines(mbox) {
		if empty && strings.HasPrefix(line, "From ") {
			all = append(all, "")
		}
		all[len(all)-1] += line
		empty = line == "\n" || line == "\r\n"
	}
	return all
}

func TestMbox(t *testing.T) {
	one, two := "From a\nA: b\n\nFrom here on\n\n", "From c\n\nlast"
	for _, c := range []struct {
		mbox string
		want []string
		err  error
	}{
		{"", nil, io.EOF},
		{"\n\r\n", nil, io.EOF},
		{"From ", []string{"From "}, io.EOF},
		{one[:12] + two, []string{one[:12] + two}, io.EOF},
		{"\n" + one[:13] + two, []string{one[:13], two}, io.EOF},
		{one, []string{one[:13], one[13:]}, io.EOF},
		{"From a\r\n\r\nFrom b\r\n", []string{"From a\r\n\r\n", "From b\r\n"}, io.EOF},
		{"From a\n\n>From b\n\nFromage\n", []string{"From a\n\n>From b\n\nFromage\n"}, io.EOF},
		{"Subject: no mbox\n\n", nil, ErrNotMbox},
		{"Fro", nil, ErrNotMbox},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.mbox), iotest.OneByteReader(strings.NewReader(c.mbox)), iotest.DataErrReader(strings.NewReader(c.mbox))} {
			got, err := readAll(NewMboxReader(r))
			if d := cmp.Diff(c.want, got); d != "" || err != c.err {
				t.Errorf("%q: %v (-want +got):\n%s", c.mbox, err, d)
			}
		}
	}
}

// TestMboxError checks that a read error is returned after all complete messages, and that the
// incomplete message before the error is not returned.
func TestMboxError(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader("From a\n\nFrom b\n"), iotest.ErrReader(broken))
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
			message := "From a\n\n" + strings.Repeat("x", size+shift) + "\n\n"
			got, err := readAll(NewMboxReader(strings.NewReader(message + message + message)))
			if err != io.EOF || len(got) != 3 || got[0] != message || got[1] != message || got[2] != message {
				t.Fatalf("size %d: %d messages, %v", size+shift, len(got), err)
			}
		}
	}
}

func FuzzMbox(f *testing.F) {
	f.Add("From a\n\nFrom b\n\r\nFrom c")
	f.Fuzz(func(t *testing.T, mbox string) {
		got, err := readAll(NewMboxReader(strings.NewReader(mbox)))
		if err == ErrNotMbox {
			if strings.HasPrefix(strings.TrimLeft(mbox, "\r\n"), "From ") {
				t.Error(err)
			}
			return
		}
		if d := cmp.Diff(plainSplit(mbox), got); d != "" {
			t.Errorf("%q (-want +got):\n%s", mbox, d)
		}
	})
}

func BenchmarkMbox(b *testing.B) {
	mbox := bytes.Repeat([]byte("From a\nSubject: b\n\n"+strings.Repeat("words of a message\n", 200)+"\n"), 2000)
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
