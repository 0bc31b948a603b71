package audit

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// An Item is a record of the input or of the output.
type Item struct {
	Name    string
	Line    int64  // number of the line, from 1
	Record  int64  // ordinal of the record
	Bytes   []byte // the record as it is written to the output; valid until the next item is read
	Hash    uint64 // hash of Bytes by maphash, with the same seed for all items
	Dropped string // position of the decision that drops the record; empty if the record is kept
	Times   int64  // number of copies in the output; 0 means 1

	found int64 // copies found so far
}

// equals reports whether two items have the same bytes. It compares hashes, which the caller computes
// in several goroutines, so it takes two items that differ for equal with a probability of about 2^-64.
func (i *Item) equals(j *Item) bool { return i.Hash == j.Hash && len(i.Bytes) == len(j.Bytes) }

// A Comparison compares the records of the input with the records of the output.
type Comparison struct {
	Input, Output func() (Item, error) // each returns the next record, or io.EOF after the last one
	Report        func(Fault) error    // called for each fault; an error that it returns ends the comparison

	Records, Kept, Dropped int64 // numbers of input records: all, kept and dropped

	in, out window
	skipped []Item   // latest dropped records, which the output may contain by mistake; without Bytes
	recent  []uint64 // hashes of the latest records found in the output
}

// These constants limit the search for a record that is out of place.
const (
	aheadRecords = 256
	aheadBytes   = 64 << 20
	remembered   = 1024
)

// A window holds the next items of the input or of the output.
type window struct {
	next   func() (Item, error)
	held   []Item
	copied bool // true if the bytes of the last item have been copied, so that they stay valid
	size   int  // total size of the copies in bytes
	end    error
}

// at returns the item at index i, where 0 is the next item; ok is false if the item does not exist
// or is too far ahead.
func (w *window) at(i int) (item *Item, ok bool) {
	for i >= len(w.held) {
		if w.end != nil || len(w.held) >= aheadRecords || w.size > aheadBytes {
			return nil, false
		}
		if last := len(w.held) - 1; last >= 0 && !w.copied {
			w.held[last].Bytes = bytes.Clone(w.held[last].Bytes)
			w.size += len(w.held[last].Bytes)
		}
		next, err := w.next()
		if err != nil {
			w.end, w.copied = err, true
			return nil, false
		}
		w.held, w.copied = append(w.held, next), false
	}
	return &w.held[i], true
}

// remove removes the item at index i.
func (w *window) remove(i int) {
	if i < len(w.held)-1 || w.copied {
		w.size -= len(w.held[i].Bytes)
	} else {
		w.copied = true // the item before the last one was copied when the last one was read
	}
	w.held = slices.Delete(w.held, i, i+1)
}

// pop moves past the next item.
func (w *window) pop() { w.remove(0) }

// Run compares all records. It calls Report for each fault, and returns the first error from
// Input, Output or Report.
func (c *Comparison) Run() error {
	c.in.next, c.out.next = c.Input, c.Output
	for {
		in, more := c.in.at(0)
		if more && in.Dropped != "" {
			if len(c.skipped) == aheadRecords {
				c.skipped = slices.Delete(c.skipped, 0, aheadRecords/2)
			}
			c.skipped = append(c.skipped, *in)
			c.skipped[len(c.skipped)-1].Bytes = nil
			c.Records, c.Dropped = c.Records+1, c.Dropped+1
			c.in.pop()
			continue
		}
		out, written := c.out.at(0)
		for _, w := range []*window{&c.in, &c.out} {
			if w.end != nil && w.end != io.EOF {
				return w.end
			}
		}
		switch {
		case more && written && in.equals(out):
			if len(c.recent) < remembered {
				c.recent = append(c.recent, 0)
			}
			c.recent[c.Kept%remembered] = in.Hash
			c.out.pop()
			if in.found++; in.found < in.Times {
				continue
			}
			c.Records, c.Kept = c.Records+1, c.Kept+1
			c.in.pop()
		case more:
			if !written {
				out = nil
			}
			if err := c.reportMismatch(in, out); err != nil {
				return err
			}
		case written:
			if err := c.reportExtra(out); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// reportMismatch finds out why a kept record differs from the next record of the output; out is nil
// if the output has ended. It then reports the fault and moves past the records concerned.
func (c *Comparison) reportMismatch(in, out *Item) error {
	if in.found > 0 {
		c.Kept++
		return c.reportInput(in, fmt.Sprintf("is in the output %d times, want %d", in.found, in.Times))
	}
	if out == nil {
		return c.reportInput(in, "is lost: the output ends before it, and no decision drops it")
	}
	if indexOf(c.skipped, out.Hash) >= 0 {
		return c.reportExtra(out)
	}
	later := find(&c.in, out) // index in c.in of a record equal to the next record of the output
	in, _ = c.in.at(0)
	found := find(&c.out, in)
	out, _ = c.out.at(0)
	switch {
	case found > 0 && later > found && !slices.Contains(c.recent, out.Hash):
		in, _ := c.in.at(later)
		f := Fault{in.Name, in.Line, in.Record, fmt.Sprintf("is out of order: it is at %s:%d, before an earlier record", out.Name, out.Line)}
		if in.Dropped != "" {
			f.What = inAndDropped(in, out)
		} else {
			c.Records++
			c.in.remove(later)
		}
		c.out.pop()
		return c.Report(f)
	case found > 0 && later > 0 && later <= found:
		there, _ := c.out.at(found)
		what := fmt.Sprintf("is out of order: it is at %s:%d, after a later record", there.Name, there.Line)
		c.out.remove(found)
		return c.reportInput(in, what)
	case found > 0:
		return c.reportExtra(out)
	case later > 0:
		return c.reportInput(in, "is lost: it is not in the output, and no decision drops it")
	}
	same, shorter := 0, min(len(in.Bytes), len(out.Bytes))
	for same < shorter && in.Bytes[same] == out.Bytes[same] {
		same++
	}
	err := c.reportInput(in, fmt.Sprintf("differs in the output, at %s:%d, from byte %d on", out.Name, out.Line, same+1))
	c.out.pop()
	return err
}

// reportInput reports a fault in the next input record, and moves past that record.
func (c *Comparison) reportInput(in *Item, what string) error {
	f := Fault{in.Name, in.Line, in.Record, what}
	c.Records++
	c.in.pop()
	return c.Report(f)
}

func inAndDropped(in, out *Item) string {
	return fmt.Sprintf("is in the output, at %s:%d, and dropped by %s", out.Name, out.Line, in.Dropped)
}

// reportExtra moves past an output record that does not match the next kept record of the input, and
// reports it.
func (c *Comparison) reportExtra(out *Item) error {
	h := out.Hash
	f := Fault{out.Name, out.Line, out.Record, "of the output is not the record of the input in this place"}
	if slices.Contains(c.recent, h) {
		f.What = "of the output is written once too often"
	} else if i := indexOf(c.skipped, h); i >= 0 {
		in := c.skipped[i]
		f = Fault{in.Name, in.Line, in.Record, inAndDropped(&in, out)}
	}
	c.out.pop()
	return c.Report(f)
}

// indexOf returns the index of the item with the given hash, or -1.
func indexOf(all []Item, hash uint64) int {
	return slices.IndexFunc(all, func(i Item) bool { return i.Hash == hash })
}

// find skips the next item, at index 0, and searches the later items for one that equals the given
// one. It returns the index of the first match, or -1.
func find(w *window, same *Item) int {
	want := *same // reading items moves them
	for i := 1; ; i++ {
		item, ok := w.at(i)
		if !ok {
			return -1
		}
		if item.equals(&want) {
			return i
		}
	}
}
