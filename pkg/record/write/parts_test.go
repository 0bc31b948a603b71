package write

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"doppel/pkg/record/dataform"
)

// TestParts checks that the output does not depend on the number of goroutines or on the sizes of
// writes.
func TestParts(t *testing.T) {
	text := strings.Repeat("0123456789", 100)
	mark := func(dst, src []byte) []byte { return append(append(append(dst, '<'), src...), '>') }
	for _, jobs := range []int{0, 1, 2, 3, 7, 16} {
		for _, step := range []int{1, 3, 999} {
			var out bytes.Buffer
			p := newParts(&out, mark, 300, jobs)
			for i := 0; i < len(text); i += step {
				if _, err := p.Write([]byte(text[i:min(len(text), i+step)])); err != nil {
					t.Fatal(err)
				}
			}
			want := "<" + text[:300] + "><" + text[300:600] + "><" + text[600:900] + "><" + text[900:] + ">"
			if err := p.Close(); err != nil || out.String() != want {
				t.Errorf("%d goroutines, steps of %d: %q, %v", jobs, step, out.String(), err)
			}
		}
		var out bytes.Buffer
		if err := newParts(&out, mark, 300, jobs).Close(); err != nil || out.String() != "<>" {
			t.Errorf("nothing is written as %q, %v", out.String(), err)
		}
	}
}

// A failingWriter returns an error after n successful writes.
type failingWriter struct{ n int }

func (f *failingWriter) Write(b []byte) (int, error) {
	if f.n--; f.n < 0 {
		return 0, errors.New("full")
	}
	return len(b), nil
}

// TestPartsError checks that Write or Close returns an error from the underlying writer.
func TestPartsError(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		for n := range 3 {
			p := newParts(&failingWriter{n}, func(dst, src []byte) []byte { return append(dst, src...) }, 10, jobs)
			_, err := p.Write(make([]byte, 25))
			if cerr := p.Close(); err == nil {
				err = cerr
			}
			if err == nil {
				t.Errorf("%d goroutines: an error of write %d is lost", jobs, n)
			}
		}
	}
}

// TestAmong checks that simultaneous outputs share the memory of one output, and that their pieces
// have at least the minimum size.
func TestAmong(t *testing.T) {
	for among, want := range map[int]int{0: frameBytes, 1: frameBytes, 8: frameBytes / 8, 1000: minPartBytes} {
		w, err := Compress(io.Discard, dataform.Packing{Compression: dataform.Zstd, Among: among})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.(*parts).size; got != want {
			t.Errorf("among %d: pieces of %d bytes, want %d", among, got, want)
		}
	}
}
