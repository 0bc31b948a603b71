package pages

import (
	"io"
	"math"

	pq "github.com/parquet-go/parquet-go"
)

// A Cut is what goes of the value of a row in one column: parts of it, from the
// first number up to the second, ascending.
type Cut struct {
	Row   int64
	Parts [][2]int
}

// Cuts are what goes of the values of a column that has one a row, in the order of
// the rows of all files. A nil one is none.
type Cuts struct {
	Leaf int                 // the column
	Next func() (Cut, error) // io.EOF after the last

	ahead Cut // with parts if it is one
	ended bool
}

// Below takes the cuts of the rows below one, which were not taken yet.
func (c *Cuts) Below(row int64) (all []Cut, err error) {
	for c != nil && !c.ended {
		if c.ahead.Parts == nil {
			if c.ahead, err = c.Next(); err == io.EOF {
				c.ended = true
				return all, nil
			} else if err != nil {
				return nil, err
			}
		}
		if c.ahead.Row >= row {
			break
		}
		all = append(all, c.ahead)
		c.ahead.Parts = nil
	}
	return all, nil
}

// Close reports whether there are cuts of rows that did not come.
func (c *Cuts) Close() error {
	rest, err := c.Below(math.MaxInt64)
	if err == nil && len(rest) > 0 {
		err = errChanged
	}
	return err
}

// of reports whether they are of a column.
func (c *Cuts) of(leaf int) bool { return c != nil && c.Leaf == leaf }

// Apply cuts what goes out of the value of a row, if it is the next one that loses
// anything.
func (c *Cuts) Apply(number int64, row pq.Row) error {
	cuts, err := c.Below(number + 1)
	if err != nil || len(cuts) == 0 {
		return err
	}
	for i := range row {
		if row[i].Column() == c.Leaf {
			_, row[i], err = cuts[0].without(nil, row[i])
			return err
		}
	}
	return errChanged
}

// without returns a value without the parts, which is made behind what is in dst.
func (c *Cut) without(dst []byte, v pq.Value) ([]byte, pq.Value, error) {
	if v.IsNull() || v.Kind() != pq.ByteArray {
		return dst, v, errNoText
	}
	text, start, at := v.ByteArray(), len(dst), 0
	for _, p := range c.Parts {
		if p[0] < at || p[1] < p[0] || p[1] > len(text) {
			return dst, v, errChanged
		}
		dst, at = append(dst, text[at:p[0]]...), p[1]
	}
	dst = append(dst, text[at:]...)
	return dst, pq.ByteArrayValue(dst[start:]).Level(v.RepetitionLevel(), v.DefinitionLevel(), v.Column()), nil
}
