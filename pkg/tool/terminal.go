package tool

import (
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
