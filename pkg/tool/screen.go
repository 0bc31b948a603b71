package tool

import (
	"bytes"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	xterm "golang.org/x/term"

	"doppel/pkg/msg"
)

// A screen is a terminal to which a run writes. Names and texts come from untrusted inputs, so
// characters that could control the terminal are escaped, and binary output is rejected.
type screen struct {
	w       io.Writer
	tail    []byte // the incomplete character at the end of the last write
	written bool
	trusted bool // the run escapes its output itself; see Env.Coloured
}

// binaries maps the magic bytes of binary formats to the names of the formats.
var binaries = map[string]string{"PAR1": "Parquet", "\x1f\x8b": "gzip", "\x28\xb5\x2f\xfd": "zstd"}

// Write escapes p and writes it to the terminal. It returns an error if the output begins with the
// magic bytes of a binary format.
func (s *screen) Write(p []byte) (int, error) {
	if !s.written && len(p) > 0 {
		s.written = true
		for magic, name := range binaries {
			if bytes.HasPrefix(p, []byte(magic)) {
				return 0, msg.WithHint(UsageError("%s cannot be written to a terminal", name), "write to a file, with -o, or to a pipe")
			}
		}
	}
	if s.trusted {
		return s.w.Write(p)
	}
	s.tail = append(s.tail, p...)
	whole := len(s.tail) // number of bytes before an incomplete character at the end
	for back := 1; back < utf8.UTFMax && back <= len(s.tail); back++ {
		if at := len(s.tail) - back; utf8.RuneStart(s.tail[at]) {
			if !utf8.FullRune(s.tail[at:]) {
				whole = at
			}
			break
		}
	}
	_, err := io.WriteString(s.w, onScreen(s.tail[:whole]))
	s.tail = append(s.tail[:0], s.tail[whole:]...)
	return len(p), err
}

// Flush escapes and writes the incomplete character that Write has held back.
func (s *screen) Flush() error {
	_, err := io.WriteString(s.w, onScreen(s.tail))
	s.tail = nil
	return err
}

// onScreen returns text with all control characters escaped, except LF and TAB.
func onScreen(text []byte) string {
	var b strings.Builder
	for len(text) > 0 {
		n := bytes.IndexAny(text, "\n\t")
		if n < 0 {
			n = len(text)
		}
		b.WriteString(msg.Printable(string(text[:n])))
		if n < len(text) {
			b.WriteByte(text[n])
			n++
		}
		text = text[n:]
	}
	return b.String()
}

// A keyboard is a terminal from which a run reads. The first Read tells the user that the run is
// waiting for input. After the first end of input, Read always returns io.EOF, although the
// terminal could be read again.
type keyboard struct {
	file     *os.File // not embedded, because io.Copy would then bypass Read by calling WriteTo
	note     func(format string, args ...any)
	prompted bool
	ended    bool
}

// Read implements io.Reader.
func (k *keyboard) Read(p []byte) (int, error) {
	if k.ended {
		return 0, io.EOF
	}
	if !k.prompted {
		k.prompted = true
		k.note("reading from the terminal; Ctrl-D ends the input")
	}
	n, err := k.file.Read(p)
	k.ended = err == io.EOF
	return n, err
}

// fileOf returns a stream. If the stream is a keyboard, it returns the *os.File that the keyboard wraps.
func fileOf(stdin io.Reader) io.Reader {
	if k, ok := stdin.(*keyboard); ok {
		return k.file
	}
	return stdin
}

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && xterm.IsTerminal(int(file.Fd()))
}
