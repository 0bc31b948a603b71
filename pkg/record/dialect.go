package record

import (
	"fmt"
	"strings"
)

// A Dialect says how inputs are read: as tables or as lines, in which encoding, and whether their
// directories define fields.
type Dialect struct {
	CSV       bool      // all inputs are CSV or TSV with a header, whatever their suffixes
	Separator Separator // the byte between two fields of a table; 0 means that the suffix and the header determine it
	Quote     Quote     // the byte around the fields of a table
	Encoding  Encoding  // the encoding of the inputs; "" means UTF-8, or unknown bytes, which stay unchanged

	NoPartitions bool // the directories of an input define no fields; see Partition

	// Mixed makes Separator, Quote and Encoding apply only to those inputs that are tables or
	// text. Otherwise an input of another kind is an error. JSON lines in UTF-8 are read as UTF-8.
	Mixed bool
}

// A Separator is the byte between two fields of a table. *Separator is a pflag.Value.
type Separator byte

// Set parses one ASCII character, or the word tab. A quote, a line end and a NUL are errors.
func (s *Separator) Set(text string) error {
	switch {
	case text == "tab" || text == `\t`:
		*s = '\t'
	case len(text) == 1 && text[0] < 0x7f && strings.IndexByte("\"\r\n\x00", text[0]) < 0:
		*s = Separator(text[0])
	default:
		return fmt.Errorf("invalid separator %q: want one ASCII character, such as ';', or tab", text)
	}
	return nil
}

func (s *Separator) String() string {
	switch *s {
	case 0:
		return ""
	case '\t':
		return "tab"
	}
	return string(rune(*s))
}

func (s *Separator) Type() string { return "CHAR" }

// A Quote is the byte around those fields of a table that contain separators, quotes or line ends.
// *Quote is a pflag.Value.
type Quote int

// Values of a Quote that are not bytes.
const (
	UsualQuote Quote = 0  // a double quote; in TSV it quotes only fields without tabs and line ends
	NoQuote    Quote = -1 // a quote is an ordinary byte
)

// Set parses one ASCII character, or the word none.
func (q *Quote) Set(text string) error {
	switch {
	case text == "none":
		*q = NoQuote
	case len(text) == 1 && '!' <= text[0] && text[0] < 0x7f:
		*q = Quote(text[0])
	default:
		return fmt.Errorf("invalid quote %q: want one ASCII character, such as \"'\", or none", text)
	}
	return nil
}

func (q *Quote) String() string {
	switch *q {
	case UsualQuote:
		return ""
	case NoQuote:
		return "none"
	}
	return string(rune(*q))
}

func (q *Quote) Type() string { return "CHAR" }

// check returns an error if the options of a dialect cannot be used together, or apply only to
// tables although the inputs are lines.
func (d *Dialect) check(lines bool) error {
	switch {
	case lines && d.CSV:
		return fmt.Errorf("--lines and --csv cannot be used together")
	case lines && d.Separator != 0:
		return fmt.Errorf("--separator applies only to CSV and TSV, not to --lines")
	case lines && d.Quote != UsualQuote:
		return fmt.Errorf("--quote applies only to CSV and TSV, not to --lines")
	case d.Separator != 0 && int(d.Separator) == int(d.Quote):
		return fmt.Errorf("--separator and --quote: %q cannot be both", byte(d.Separator))
	}
	return nil
}

// tableFlag returns the name of a flag that is set but applies only to tables, or "".
func (d *Dialect) tableFlag() string {
	switch {
	case d.Mixed:
	case d.Separator != 0:
		return "--separator"
	case d.Quote != UsualQuote:
		return "--quote"
	}
	return ""
}
