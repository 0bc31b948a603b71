package record

import (
	"errors"
	"io"
	"math"

	"doppel/pkg/spill"
)

// A Selection says what of some records is copied.
type Selection struct {
	Keep func(ordinal int64) bool // may be called by many goroutines at once
	Cuts *Cuts                    // what goes of the texts of these records, or nil
}

// Cuts are the parts that go of the texts of records that cannot be cut as they
// come: Parquet, which is copied by column when all of it was read. They are in the
// order of the records, and on disk, 16 B a part.
type Cuts struct {
	Field string // where the text is
	parts spill.Spool[[2]uint64]
}

// A Cut is what goes of the text of a record: parts of it, ascending.
type Cut struct {
	Ordinal int64
	Parts   []Range
}

// half is what the start of a part is shifted by; both ends are below 2^32.
const half = 32

// add adds what goes of the record that comes next.
func (c *Cuts) add(ordinal int64, parts []Range) error {
	for _, p := range parts {
		if p.End > math.MaxUint32 {
			return errors.New("a text of 4 GiB and more cannot be cut")
		}
		if err := c.parts.Add([2]uint64{uint64(ordinal), uint64(p.Start)<<half | uint64(p.End)}); err != nil {
			return err
		}
	}
	return nil
}

// Reader returns a function that returns a cut at a time, and io.EOF after the last.
func (c *Cuts) Reader() func() (Cut, error) {
	r := cutReader{read: c.parts.Reader(), buf: make([][2]uint64, 4096)}
	return r.next
}

// A cutReader reads cuts.
type cutReader struct {
	read func([][2]uint64) (int, error)
	buf  [][2]uint64
	rest [][2]uint64
}

func (r *cutReader) next() (c Cut, err error) {
	for {
		if len(r.rest) == 0 {
			n, err := r.read(r.buf)
			if r.rest = r.buf[:n]; err == io.EOF && len(c.Parts) > 0 {
				return c, nil
			}
			if err != nil {
				return c, err
			}
		}
		p := r.rest[0]
		if len(c.Parts) > 0 && int64(p[0]) != c.Ordinal {
			return c, nil
		}
		c.Ordinal, c.Parts = int64(p[0]), append(c.Parts, Range{int(p[1] >> half), int(p[1] & math.MaxUint32)})
		r.rest = r.rest[1:]
	}
}
