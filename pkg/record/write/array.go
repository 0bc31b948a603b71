package write

import (
	"bytes"
	"io"
)

// An arrayWriter converts JSON lines to a JSON array with one value per line.
type arrayWriter struct {
	w     io.Writer
	begun bool
	ended bool // the last line is complete
}

func (a *arrayWriter) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		before := ""
		switch {
		case !a.begun:
			before = "[\n"
		case a.ended:
			before = ",\n"
		}
		a.begun = true
		line := p
		if n := bytes.IndexByte(p, '\n'); n >= 0 {
			line, p, a.ended = p[:n], p[n+1:], true
		} else {
			p, a.ended = nil, false
		}
		if before != "" {
			if _, err := io.WriteString(a.w, before); err != nil {
				return 0, err
			}
		}
		if _, err := a.w.Write(line); err != nil {
			return 0, err
		}
	}
	return written, nil
}

// finish writes the end of the array.
func (a *arrayWriter) finish() error {
	end := "\n]\n"
	if !a.begun {
		end = "[" + end
	}
	_, err := io.WriteString(a.w, end)
	return err
}
