package filename

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drain reads a source in batches of n and returns all its names.
func drain(t testing.TB, s Source, n int) (names []string) {
	t.Helper()
	for b := (Batch{}); ; {
		switch err := s.Next(&b, n); {
		case err == io.EOF:
			return names
		case err != nil || len(b.Items) == 0:
			t.Fatal("an error, or an empty batch before the end: ", err)
		}
		for _, it := range b.Items {
			names = append(names, string(it.Name))
		}
	}
}

func TestReader(t *testing.T) {
	long := strings.Repeat("long/", 40000)
	for _, tc := range []struct {
		text string
		end  byte
		want []string
	}{
		{"", '\n', nil},
		{"\n\n", '\n', nil},
		{"a\nb c\r\n\n\xff\tx\nlast", '\n', []string{"a", "b c\r", "\xff\tx", "last"}},
		{"a\nb\x00\x00c", 0, []string{"a\nb", "c"}},
		{long + "\n" + long + "x", '\n', []string{long, long + "x"}},
	} {
		for _, n := range []int{1, 2, 64} {
			got := drain(t, NewReader(strings.NewReader(tc.text), tc.end), n)
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%.20q by %d:\n%s", tc.text, n, d)
			}
		}
	}
	if err := NewReader(strings.NewReader("a\x00b\x00"), '\n').Next(new(Batch), 2); err != ErrNUL {
		t.Errorf("names ended by NUL, read as lines: %v", err)
	}
}

// TestLines checks that empty names are skipped but counted as lines.
func TestLines(t *testing.T) {
	r := NewReader(strings.NewReader("a\n\n\nb\nc"), '\n')
	var b Batch
	var got []int64
	for r.Next(&b, 2) == nil {
		for _, it := range b.Items {
			got = append(got, it.Line)
		}
	}
	if !cmp.Equal(got, []int64{1, 4, 5}) {
		t.Errorf("%d", got)
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader("a\n"), &failing{broken}), '\n')
	if err := r.Next(new(Batch), 2); err != broken {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

func TestList(t *testing.T) {
	want := []string{"a", "", "-", "b"}
	l := List(want)
	if got := drain(t, &l, 3); !cmp.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// FuzzReader compares the names that a Reader returns with the non-empty results of
// strings.SplitSeq.
func FuzzReader(f *testing.F) {
	f.Add("a\nb c\xff", byte('\n'), 2)
	f.Add("a\x00b", byte(0), 1)
	f.Fuzz(func(t *testing.T, text string, end byte, n int) {
		if n < 1 || n > 100 || end != 0 && strings.Contains(text, "\x00") {
			t.Skip()
		}
		var want []string
		for name := range strings.SplitSeq(text, string([]byte{end})) {
			if name != "" {
				want = append(want, name)
			}
		}
		if got := drain(t, NewReader(strings.NewReader(text), end), n); !cmp.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	text := strings.Repeat("/usr/lib/some/directory/with/a/file.name\n", 10000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(strings.NewReader(text), '\n')
		var batch Batch
		for r.Next(&batch, 64) == nil {
		}
	}
}
