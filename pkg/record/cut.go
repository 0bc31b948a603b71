package record

import (
	"errors"
	"fmt"

	"doppel/pkg/record/jsonstr"
)

// A Cutter takes parts out of the text of records. What it leaves is as it
// was, byte for byte: escapes, spaces, the order of fields.
type Cutter struct {
	paths *paths
	s     scanner
}

// A Range is bytes of a text, from Start up to End.
type Range struct{ Start, End int }

// NewCutter returns a cutter for records that are read with these options,
// which must name one field, or make lines texts.
func NewCutter(opt Options) (*Cutter, error) {
	opt.ID = ""
	p, err := newPaths(&opt)
	if err != nil {
		return nil, err
	}
	if len(p.fields) > 1 {
		return nil, errors.New("parts are cut out of one field")
	}
	return &Cutter{p, scanner{spans: make([]span, 2)}}, nil
}

// ErrUncut is the error of cutting a row of a table.
var ErrUncut = errors.New("parts can be cut out of JSON, of plain lines and of Parquet only")

// Cut appends the raw record without the ranges of its text, which are
// ascending and do not overlap. An escape of which a range has only some bytes
// stays, since it cannot be divided: \u6f22 means three bytes.
func (c *Cutter) Cut(dst []byte, rec *Record, ranges []Range) ([]byte, error) {
	if err := checkParts(rec, ranges); err != nil {
		return dst, err
	}
	if rec.Raw == nil || rec.row {
		return dst, ErrUncut
	}
	start, end := 0, len(rec.Raw)
	if !c.paths.whole {
		if err := c.s.scan(rec.Raw, c.paths.root); err != nil {
			return dst, err
		}
		if start, end = c.s.spans[0].start, c.s.spans[0].end; rec.Raw[start] == '"' {
			start, end = start+1, end-1
		}
	}
	dst = append(dst, rec.Raw[:start]...)
	dst = cutString(dst, rec.Raw[start:end], ranges, !c.paths.whole)
	return append(dst, rec.Raw[end:]...), nil
}

// checkParts refuses what ends behind the text.
func checkParts(rec *Record, parts []Range) error {
	if last := len(parts) - 1; last >= 0 && parts[last].End > len(rec.Text) {
		return fmt.Errorf("a part ends at byte %d of a text of %d", parts[last].End, len(rec.Text))
	}
	return nil
}

// cutString appends s without the ranges, which count what its escapes mean.
func cutString(dst, s []byte, ranges []Range, escaped bool) []byte {
	var scratch [8]byte
	for at := 0; len(s) > 0; {
		raw, means := 1, 1
		if escaped && s[0] == '\\' {
			text, rest := jsonstr.UnescapeOne(scratch[:0], s[1:])
			raw, means = len(s)-len(rest), len(text)
		}
		for len(ranges) > 0 && ranges[0].End <= at {
			ranges = ranges[1:]
		}
		if covered := coveredFrom(at, ranges); at == covered || at+means > covered {
			dst = append(dst, s[:raw]...)
		}
		at, s = at+means, s[raw:]
	}
	return dst
}

// coveredFrom returns up to where all bytes from at on are in ranges, of which none ends
// before at; two may touch.
func coveredFrom(at int, ranges []Range) int {
	for _, r := range ranges {
		if r.Start > at {
			break
		}
		at = r.End
	}
	return at
}
