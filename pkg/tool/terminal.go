package tool

import (
	"bytes"
	"io"
	"os"

	xterm "golang.org/x/term"
)

// Terminal returns the width of the terminal that the output goes to, and
// true; or 80 and false where the output goes elsewhere.
func (e *Env) Terminal() (columns int, ok bool) {
	if e.OutputName != "" || !isTerminal(e.Stdout) {
		return 80, false
	}
	columns, _, err := xterm.GetSize(int(e.Stdout.(*os.File).Fd()))
	if err != nil || columns < 1 {
		columns = 80
	}
	return columns, true
}

// isTerminal reports whether f is a terminal.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && xterm.IsTerminal(int(file.Fd()))
}

// Lines returns where lines with names of files are to be written: Out, or, where
// the output goes to a terminal, what escapes in them all that could act on it.
func (e *Env) Lines() io.Writer {
	if _, ok := e.Terminal(); ok {
		return screen{e.Out}
	}
	return e.Out
}

// A screen is a terminal. TAB, and what ends lines, is all that acts on it. A
// character lies in one write.
type screen struct{ w io.Writer }

// ends are the bytes that pass.
const ends = "\t\n\x00"

func (s screen) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := bytes.IndexAny(rest, ends)
		if n < 0 {
			n = len(rest)
		}
		text := append([]byte(Printable(string(rest[:n]))), rest[n:min(n+1, len(rest))]...)
		if _, err := s.w.Write(text); err != nil {
			return len(p) - len(rest), err
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return len(p), nil
}
