package text

import (
	"bytes"
	"fmt"
)

// A Splitting says how a text falls into parts. Parts follow each other
// without a gap; blank lines belong to the part before them, and to the first
// if they come first, so that a part may be cut out and leaves none behind.
type Splitting int

// The splittings.
const (
	Unsplit Splitting = iota
	ByLine            // each line that is not blank begins a part
	ByBlank           // each such line at the start or after a blank one: paragraphs
)

var splittings = []string{"", "line", "blank"}

func (s Splitting) String() string { return splittings[s] }

// Set parses a splitting's name; with String and Type it makes a flag.
func (s *Splitting) Set(v string) error {
	for i, name := range splittings {
		if i > 0 && v == name {
			*s = Splitting(i)
			return nil
		}
	}
	return fmt.Errorf("want line or blank, not %q", v)
}

// Type names the value in help.
func (s *Splitting) Type() string { return "PARTS" }

// Next returns the length of the part that a text begins with; 0 for an empty
// text.
func (s Splitting) Next(text []byte) int {
	if s == Unsplit {
		return len(text)
	}
	begun, wasBlank := false, false
	for at := 0; at < len(text); {
		end := at + 1 + bytes.IndexByte(text[at:], '\n')
		if end == at {
			end = len(text)
		}
		blank := len(TrimBlank(text[at:end])) == 0
		if begun && !blank && (s == ByLine || wasBlank) {
			return at
		}
		begun, wasBlank, at = begun || !blank, blank, end
	}
	return len(text)
}

// TrimBlank returns the text without the white space of ASCII at its ends.
func TrimBlank(text []byte) []byte { return bytes.Trim(text, " \t\r\n\v\f") }
