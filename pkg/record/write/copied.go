package write

import (
	"errors"
	"io"
	"os"
	"slices"

	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	"doppel/pkg/record/dataform"
)

// copied notes which rows of the input files are kept. Close copies them in a second pass over the
// files, when all kept rows are known.
type copied struct {
	rd     *record.Reader
	w      io.Writer
	next   func(input string) (io.WriteCloser, error) // see Sink.next
	form   dataform.Form                              // Kind is the format that is written
	format *Format                                    // of the input files
	sizer  *sizer
	kept   bitset.Set
	cuts   *Cuts               // parts to cut from the kept rows
	share  func(share float64) // reports the progress of the second pass, from 0 to 1
}

func (s *Sink) newCopied(format *Format, kind dataform.Kind) *copied {
	c := &copied{rd: s.rd, w: s.w, next: s.next, form: s.form, format: format, sizer: s.sizer, share: s.rd.SecondPass()}
	c.form.Kind = kind
	return c
}

func (c *copied) Gather(rec *record.Record, size int64) error {
	c.kept.Add(rec.Ordinal)
	if c.sizer != nil {
		c.sizer.addSize(rec.Ordinal, size)
	}
	return nil
}

func (c *copied) Check(*record.Record) error { return nil }

func (c *copied) Flush() error { return nil }

// Cut notes the parts, which are removed when the record is copied.
func (c *copied) Cut(cutter *Cutter, rec *record.Record, parts []Range) error {
	err := checkParts(rec, parts)
	if cutter.field == "" {
		err = errors.New("parts can be cut only from a field, not from a whole row")
	}
	if err != nil {
		return rec.At(err)
	}
	if c.cuts == nil {
		c.cuts = &Cuts{Field: cutter.field}
	}
	c.kept.Add(rec.Ordinal)
	return c.cuts.add(rec.Ordinal, parts)
}

// progressInterval is the number of records between progress updates of the copy.
const progressInterval = 1 << 12

// copies reports whether the copy includes a record, and updates the progress.
func (c *copied) copies(ordinal int64) bool {
	if all := c.rd.Count(); ordinal%progressInterval == 0 && all > 0 {
		c.share(float64(ordinal) / float64(all))
	}
	return c.kept.Has(ordinal)
}

func (c *copied) Close() (err error) {
	if c.cuts != nil {
		defer c.cuts.parts.Close() // reading the parts has already reported any error
	}
	if files, parts := c.rd.Files(); c.next == nil {
		err = c.copySelected(c.w, files, Selection{Parts: parts, Keep: c.copies, Cuts: c.cuts, Sized: c.sizer.sizesFrom(0)})
	} else {
		err = c.copyEach(files)
	}
	c.share(1)
	return err
}

// copySelected writes the selected records of files.
func (c *copied) copySelected(w io.Writer, files []*os.File, what Selection) error {
	if slices.Contains(files, nil) {
		files, what.Parts = withoutEmpty(files, what.Parts)
	}
	switch {
	case c.form.Kind == c.format.Kind:
		return c.format.Copy(w, files, c.form.Packing, what)
	case !c.form.Array:
		return c.format.Lines(w, files, what)
	}
	array := &arrayWriter{w: w}
	if err := c.format.Lines(array, files, what); err != nil {
		return err
	}
	return array.finish()
}

// withoutEmpty returns only those files that are not of 0 bytes, and their fields of directories.
func withoutEmpty(files []*os.File, parts [][]record.Partition) (some []*os.File, theirs [][]record.Partition) {
	for i, f := range files {
		if f == nil {
			continue
		}
		if some = append(some, f); parts != nil {
			theirs = append(theirs, parts[i])
		}
	}
	return some, theirs
}

// copyEach writes the kept records of each input file to a separate output.
func (c *copied) copyEach(files []*os.File) error {
	cuts := c.cuts.eachInput()
	for i, f := range files {
		in, _ := c.rd.Opened(i)
		after, more := c.rd.Opened(i + 1)
		if !more {
			after.First = c.rd.Count()
		}
		w, err := c.next(in.Name)
		if err != nil {
			return err
		}
		keep := func(ordinal int64) bool { return c.copies(in.First + ordinal) }
		if what := (Selection{Keep: keep, Cuts: cuts(in.First, after.First), Sized: c.sizer.sizesFrom(in.First)}); f != nil {
			err = c.copySelected(w, []*os.File{f}, what)
		}
		if cerr := w.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}
