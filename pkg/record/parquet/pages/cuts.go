package pages

import (
	"io"
	"math"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
)

// Cuts are what goes of the values of a column that has one a row, in the order of
// the rows of all files. A nil one is none.
type Cuts struct {
	Leaf int                        // the column
	Next func() (record.Cut, error) // io.EOF after the last

	ahead record.Cut // with parts if it is one
	ended bool
}

// below takes the cuts of the rows below one, which were not taken yet.
func (c *Cuts) below(row int64) (all []record.Cut, err error) {
	for c != nil && !c.ended {
		if c.ahead.Parts == nil {
			if c.ahead, err = c.Next(); err == io.EOF {
				c.ended = true
				return all, nil
			} else if err != nil {
				return nil, err
			}
		}
		if c.ahead.Ordinal >= row {
			break
		}
		all = append(all, c.ahead)
		c.ahead.Parts = nil
	}
	return all, nil
}

// Close reports whether there are cuts of rows that did not come.
func (c *Cuts) Close() error {
	rest, err := c.below(math.MaxInt64)
	if err == nil && len(rest) > 0 {
		err = errChanged
	}
	return err
}

// Apply cuts what goes out of the value of a row, if it is the next one that loses
// anything.
func (c *Cuts) Apply(number int64, row pq.Row) error {
	cuts, err := c.below(number + 1)
	if err != nil || len(cuts) == 0 {
		return err
	}
	for i := range row {
		if row[i].Column() == c.Leaf {
			_, row[i], err = without(nil, row[i], cuts[0].Parts)
			return err
		}
	}
	return errChanged
}

// without returns a value without some parts, which is made behind what is in dst.
func without(dst []byte, v pq.Value, parts []record.Range) ([]byte, pq.Value, error) {
	if v.IsNull() || v.Kind() != pq.ByteArray {
		return dst, v, errNoText
	}
	text, start, at := v.ByteArray(), len(dst), 0
	for _, p := range parts {
		if p.Start < at || p.End < p.Start || p.End > len(text) {
			return dst, v, errChanged
		}
		dst, at = append(dst, text[at:p.Start]...), p.End
	}
	dst = append(dst, text[at:]...)
	return dst, pq.ByteArrayValue(dst[start:]).Level(v.RepetitionLevel(), v.DefinitionLevel(), v.Column()), nil
}
