package write

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"doppel/pkg/record"
	"doppel/pkg/record/jsonstr"
	"doppel/pkg/spill"
)

// A Cutter removes parts of the text from raw records. All other bytes stay unchanged, including
// escapes and the spaces between fields.
type Cutter struct {
	decoder *record.Decoder
	field   string // path of the text; "" if it is the whole record
}

// A Range is the byte range [Start, End) of a text.
type Range struct{ Start, End int }

// NewCutter returns a cutter for records read with these options. Unless Lines is set, it
// returns an error if the options name several fields, or a path into an array.
func NewCutter(opt record.Options) (*Cutter, error) {
	d, err := record.NewDecoder(opt)
	c := &Cutter{decoder: d}
	switch {
	case err != nil:
		return nil, err
	case opt.Lines || len(opt.Fields) == 0:
		return c, nil
	case len(opt.Fields) > 1:
		return nil, errors.New("parts can be cut only from one field: want one --field")
	case opt.IntoArray() != "":
		return nil, fmt.Errorf("field %q leads into an array: want a path to one string", opt.IntoArray())
	}
	c.field = opt.Fields[0]
	return c, nil
}

// ErrUncut means that Cut cannot cut the record, because it is a CSV row or has no raw bytes.
var ErrUncut = errors.New("parts can be cut only from JSON lines, plain lines and Parquet")

// Cut appends the raw record to dst without the given ranges of its text. The ranges must be in
// ascending order and must not overlap. An escape such as \u6f22, which encodes three bytes, cannot
// be divided, so Cut keeps it unless the ranges cover all its bytes.
func (c *Cutter) Cut(dst []byte, rec *record.Record, ranges []Range) ([]byte, error) {
	if err := checkParts(rec, ranges); err != nil {
		return dst, err
	}
	if rec.Raw == nil || rec.IsRow() {
		return dst, ErrUncut
	}
	start, end, err := c.decoder.Find(rec.Raw)
	if err != nil {
		return dst, err
	}
	if c.field != "" {
		if rec.Raw[start] == '"' {
			start, end = start+1, end-1
		} else if rec.Raw[start] == '[' {
			return dst, errors.New("the text is a list of parts: want one string to cut parts from")
		}
	}
	dst = append(dst, rec.Raw[:start]...)
	dst = cutString(dst, rec.Raw[start:end], ranges, c.field != "")
	return append(dst, rec.Raw[end:]...), nil
}

// checkParts returns an error if a part ends after the end of the text. If the Text of the record
// is nil, checkParts accepts any parts.
func checkParts(rec *record.Record, parts []Range) error {
	if last := len(parts) - 1; last >= 0 && rec.Text != nil && parts[last].End > len(rec.Text) {
		return fmt.Errorf("a part ends at byte %d, but the text has %d bytes", parts[last].End, len(rec.Text))
	}
	return nil
}

// cutString appends s to dst, without the bytes in the ranges. If escaped is set, s is the content
// of a JSON string, and the ranges refer to its unescaped form. One append copies all bytes up to
// the next escape or range boundary.
func cutString(dst, s []byte, ranges []Range, escaped bool) []byte {
	var scratch [8]byte
	for at, plain := 0, 0; len(s) > 0; {
		for len(ranges) > 0 && ranges[0].End <= at {
			ranges = ranges[1:]
		}
		if plain == 0 { // find the next escape
			if plain = len(s); escaped {
				if i := bytes.IndexByte(s, '\\'); i >= 0 {
					plain = i
				}
			}
		}
		if plain > 0 {
			n := plain
			switch {
			case len(ranges) == 0:
				dst = append(dst, s[:n]...)
			case ranges[0].Start > at:
				n = min(n, ranges[0].Start-at)
				dst = append(dst, s[:n]...)
			default:
				n = min(n, ranges[0].End-at)
			}
			at, plain, s = at+n, plain-n, s[n:]
			continue
		}
		text, rest := jsonstr.UnescapeOne(scratch[:0], s[1:])
		raw, means := len(s)-len(rest), len(text)
		covered := at // the ranges cover the bytes [at, covered) of the text
		for _, r := range ranges {
			if r.Start > covered {
				break
			}
			covered = r.End
		}
		if at == covered || at+means > covered {
			dst = append(dst, s[:raw]...)
		}
		at, s = at+means, s[raw:]
	}
	return dst
}

// A Selection tells the Copy and Lines functions of a [Format] which records to copy, and how to
// change these records.
type Selection struct {
	Keep  func(ordinal int64) bool // may be called by several goroutines concurrently
	Cuts  *Cuts                    // parts to remove from the texts; nil if there are none
	Parts [][]record.Partition     // fields to add to the records of each file; nil if there are none
	Sized *Sized                   // cluster sizes to add and numbers of copies to write; may be nil
}

// Cuts holds the parts to remove from the texts of Parquet records. A [Sink] copies these records
// column by column after it has received the last record. Until then, a spool holds the parts in
// record order, 16 bytes each.
type Cuts struct {
	Field string // path of the text
	parts spill.Spool[[2]uint64]
	next  func() (Cut, error) // the function that Reader returns; if nil, Reader reads the spool
}

// A Cut holds the parts to remove from the text of one record, in ascending order.
type Cut struct {
	Ordinal int64
	Parts   []Range
}

// startShift is the bit position of a part's start in the word that stores the start and the end of
// the part. Both are below 2^32.
const startShift = 32

// add stores the parts to remove from the record with this ordinal. Calls must be in ascending
// order of ordinals.
func (c *Cuts) add(ordinal int64, parts []Range) error {
	for _, p := range parts {
		if p.End > math.MaxUint32 {
			return errors.New("parts can be cut only from texts below 4 GiB")
		}
		if err := c.parts.Add([2]uint64{uint64(ordinal), uint64(p.Start)<<startShift | uint64(p.End)}); err != nil {
			return err
		}
	}
	return nil
}

// Reader returns a function that returns the next cut each time it is called, and io.EOF after the
// last one.
func (c *Cuts) Reader() func() (Cut, error) {
	if c.next != nil {
		return c.next
	}
	read, buf := c.parts.Reader(), make([][2]uint64, 4096)
	var rest [][2]uint64
	return func() (cut Cut, err error) {
		for {
			if len(rest) == 0 {
				n, err := read(buf)
				if rest = buf[:n]; err == io.EOF && len(cut.Parts) > 0 {
					return cut, nil
				}
				if err != nil {
					return cut, err
				}
			}
			p := rest[0]
			if len(cut.Parts) > 0 && int64(p[0]) != cut.Ordinal {
				return cut, nil
			}
			cut.Ordinal, cut.Parts = int64(p[0]), append(cut.Parts, Range{int(p[1] >> startShift), int(p[1] & math.MaxUint32)})
			rest = rest[1:]
		}
	}
}

// eachInput returns a function that the caller calls once per input, in order. The function returns
// the cuts of the input whose records have the ordinals [first, end). In the returned cuts,
// ordinals are counted from the first record of the input.
func (c *Cuts) eachInput() func(first, end int64) *Cuts {
	if c == nil {
		return func(int64, int64) *Cuts { return nil }
	}
	read := c.Reader()
	var ahead Cut // the next cut; if it has not been read yet, its Parts are nil
	return func(first, end int64) *Cuts {
		return &Cuts{Field: c.Field, next: func() (cut Cut, err error) {
			if ahead.Parts == nil {
				if ahead, err = read(); err != nil {
					return cut, err
				}
			}
			if ahead.Ordinal >= end {
				return cut, io.EOF
			}
			cut, ahead = ahead, Cut{}
			cut.Ordinal -= first
			return cut, nil
		}}
	}
}
