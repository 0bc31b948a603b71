package tool

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// Control characters other than LF and TAB are escaped, even if writes split a character.
func TestScreen(t *testing.T) {
	const text, want = "a\tb\x1b[31m\r\n\u00e9\xff\u20ac\u009b\n\xe2\x82", "a\tb\\x1b[31m\\r\n\u00e9\\xff\u20ac\\u009b\n\\xe2\\x82"
	for size := 1; size <= len(text); size++ {
		var out strings.Builder
		s := &screen{w: &out}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := s.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("by %d bytes: %q, want %q", size, out.String(), want)
		}
	}
}

// Output whose first bytes are those of a binary format is rejected; later bytes are not checked.
func TestScreenBinary(t *testing.T) {
	for text, refused := range map[string]bool{"PAR1x": true, "\x1f\x8b\x08": true, "\x28\xb5\x2f\xfd": true, "{}\n": false, "": false} {
		var out strings.Builder
		s := &screen{w: &out}
		if _, err := s.Write([]byte(text)); (err != nil) != refused || refused && out.Len() > 0 {
			t.Errorf("%q: %v, %q", text, err, out.String())
		}
		if _, err := s.Write([]byte("x")); err != nil {
			t.Errorf("%q, then x: %v", text, err)
		}
	}
}

// A keyboard prints its note only once, and after the end of input it does not read the terminal
// again.
func TestKeyboard(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString("x")
	w.Close()
	var errs strings.Builder
	k := &keyboard{file: r, note: (&Env{Name: "probe", Std: Std{Stderr: &errs}}).Note}
	var typed bytes.Buffer
	if n, err := io.Copy(&typed, k); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	buf := make([]byte, 9)
	for range 2 {
		if n, err := k.Read(buf); n != 0 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
		r.Close() // the next Read must not need the file
	}
	if want := "probe: reading from the terminal; Ctrl-D ends the input\n"; errs.String() != want {
		t.Errorf("%q, want %q", errs.String(), want)
	}
}
