package pages

import (
	"io"
	"math"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record/write"
)

// A Cuts iterates over the parts to remove from the values of one column, in the order of the rows
// of all files. The column must have one value per row. A nil Cuts removes nothing.
type Cuts struct {
	Leaf int                       // index of the column
	Next func() (write.Cut, error) // returns io.EOF after the last cut

	ahead write.Cut // the next cut; if it has not been read yet, its Parts are nil
	ended bool
}

// below returns the cuts of all rows before the given row, except cuts that an earlier call
// returned.
func (c *Cuts) below(row int64) (all []write.Cut, err error) {
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

// Close returns an error if there are cuts left, because these are for rows that do not exist.
func (c *Cuts) Close() error {
	rest, err := c.below(math.MaxInt64)
	if err == nil && len(rest) > 0 {
		err = errChanged
	}
	return err
}

// Apply changes a row: it removes the parts to cut, if any. number is the ordinal of the row; it
// must increase from call to call.
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

// without appends the text v to dst, except for the given parts. It returns the extended dst and a
// value that refers to the appended text.
func without(dst []byte, v pq.Value, parts []write.Range) ([]byte, pq.Value, error) {
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
