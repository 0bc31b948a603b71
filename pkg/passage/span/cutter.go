package span

import (
	"fmt"

	"doppel/pkg/passage"
)

// Options say which parts of a record a Cutter cuts out.
type Options struct {
	Scheme passage.Scheme
	Bridge float64 // minimum share of repeated text in a joined span, up to 1; if 0, no spans are joined
	Snap   Snap
}

// Check returns an error if o is not valid.
func (o Options) Check() error {
	if o.Bridge < 0 || o.Bridge > 1 || o.Bridge != o.Bridge {
		return fmt.Errorf("bridge %v: want 0 to 1", o.Bridge)
	}
	return o.Scheme.Check()
}

// A Cut is a byte range of a text, and the pieces that cover the range and give its evidence.
// Start and End of a piece are in bytes, even if the scheme counts words. At and To are in the
// units of the scheme.
type Cut struct {
	Span
	Pieces []Piece
}

// Cuts describes the parts that are cut out of a record.
type Cuts struct {
	Cuts  []Cut
	Bytes int // total size of the cuts, in bytes
}

// A Cutter computes the cuts of records. It is not safe for concurrent use.
type Cutter struct {
	opt   Options
	units *passage.Units
	spans []Span
}

// NewCutter returns a Cutter. It returns an error if [Options.Check] does.
func NewCutter(o Options) (*Cutter, error) {
	return &Cutter{opt: o, units: passage.NewUnits(o.Scheme)}, o.Check()
}

// Cuts returns the cuts of a record in ascending order. repeats must hold all repeats of the
// record, in ascending order. A record without repeats is never cut. If the text is too short for
// the repeats, the error is [passage.ErrChanged].
func (c *Cutter) Cuts(text []byte, repeats []passage.Repeat) (out Cuts, err error) {
	length := c.opt.Scheme.Length
	c.spans = union(c.spans[:0], repeats, length)
	if c.opt.Bridge > 0 {
		c.spans = bridge(c.spans, c.opt.Bridge)
	}
	c.units.Set(text)
	if last := len(c.spans) - 1; last >= 0 && c.spans[last].End > c.units.Len() {
		return out, passage.ErrChanged
	}
	for _, s := range c.spans {
		for len(repeats) > 0 && repeats[0].End(length) <= s.Start {
			repeats = repeats[1:]
		}
		if cut, ok := c.cut(text, s, repeats); ok {
			out.Cuts = append(out.Cuts, cut)
			out.Bytes += cut.End - cut.Start
		}
	}
	return out, nil
}

// cut converts a span of units to bytes and shrinks it until Snap allows a cut at both ends. ok is
// false if nothing remains.
func (c *Cutter) cut(text []byte, s Span, repeats []passage.Repeat) (cut Cut, ok bool) {
	start, end := c.units.Place(s.Start, s.End)
	if cut.Span, ok = c.opt.Snap.Shrink(text, Span{start, end}); !ok {
		return cut, false
	}
	length := c.opt.Scheme.Length
	if c.opt.Scheme.Unit == passage.Bytes {
		cut.Pieces = pieces(nil, cut.Span, repeats, length, text)
		return cut, true
	}
	if s = c.within(s, cut.Span); s.Start == s.End {
		return cut, false
	}
	for _, p := range pieces(nil, s, repeats, length, nil) {
		p.Start, p.End = c.units.Place(p.Start, p.End)
		// Add the text between two pieces to the first of them.
		if n := len(cut.Pieces); n == 0 {
			p.Start = cut.Start
		} else {
			p.Start = max(cut.Pieces[n-1].End, p.Start)
			cut.Pieces[n-1].End = p.Start
		}
		cut.Pieces = append(cut.Pieces, p)
	}
	cut.Pieces[len(cut.Pieces)-1].End = cut.End
	return cut, true
}

// within shrinks a span of words to the words that are completely inside a byte range.
func (c *Cutter) within(words, bytes Span) Span {
	for words.Start < words.End && c.place(words.Start).Start < bytes.Start {
		words.Start++
	}
	for words.Start < words.End && c.place(words.End-1).End > bytes.End {
		words.End--
	}
	return words
}

func (c *Cutter) place(word int) Span {
	start, end := c.units.Place(word, word+1)
	return Span{start, end}
}
