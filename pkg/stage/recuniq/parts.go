package recuniq

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"

	"doppel/pkg/digest/exacthash"
	"doppel/pkg/hashset"
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	"doppel/pkg/record/write"
	"doppel/pkg/tool"
)

// A partCutter cuts later copies of parts out of their records. Parts are numbered from 0 over the
// whole input. Parts without a hash have no number and are never cut.
type partCutter struct {
	*uniq
	cutter *write.Cutter
	parts  int64 // number of parts read so far
	cut    int64 // number of records written without some of their parts

	cuts  []write.Range // parts to cut out of the current record
	fresh []part        // parts of the current record whose hashes are to be saved
	id    []byte
}

// A part is a range of a text, and the hash of this range.
type part struct {
	write.Range
	sum exacthash.Sum
	key []byte // bytes to compare if --verify is given; otherwise nil
}

// A partBatch holds the parts of the records in a batch.
type partBatch struct {
	parts []part
	ends  []int // for each record, the index after its last part
}

// cutParts cuts later copies of parts out of all records and returns the number of records that it
// cut.
func (u *uniq) cutParts(rd *record.Reader) (cut int64, err error) {
	c := &partCutter{uniq: u}
	if c.cutter, err = write.NewCutter(u.e.Records); err != nil {
		return 0, tool.UsageError("--split: %v", err)
	}
	newWork := func() func(*record.Batch) partBatch {
		signer, _ := u.hashing.NewSigner() // no error, because Run has checked the options
		return func(b *record.Batch) partBatch { return c.hashParts(signer, b) }
	}
	err = tool.Batches(u.e, rd, newWork, func(b *record.Batch, all partBatch) (err error) {
		start := 0
		for i, end := range all.ends {
			if rec := &b.Records[i]; rec.Err == nil && err == nil {
				err = c.decideRecord(rec, all.parts[start:end])
			}
			start = end
		}
		return cmp.Or(err, u.sink.Flush())
	})
	if err == nil {
		err = c.writeBacklog()
	}
	return c.cut, err
}

// hashParts returns the parts of the records in a batch, with their hashes.
func (c *partCutter) hashParts(signer *exacthash.Signer, b *record.Batch) (all partBatch) {
	all.ends = make([]int, len(b.Records))
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Err == nil {
			c.opt.Split.Each(rec.Text, c.opt.Least, func(text []byte, start, end int) {
				sum, ok := signer.Sum(text, nil)
				if !ok {
					return
				}
				if c.hashing.Valued {
					sum = signer.Valued(sum, rec.Value)
				}
				p := part{Range: write.Range{Start: start, End: end}, sum: sum}
				if c.opt.Verify {
					p.key = bytes.Clone(signer.Key(text, nil))
				}
				all.parts = append(all.parts, p)
			})
		}
		all.ends[i] = len(all.parts)
	}
	return all
}

// decideRecord decides on the parts of a record, and writes the record without the cut parts. If a
// part or an earlier record is still undecided, it adds the record to the backlog instead.
func (c *partCutter) decideRecord(rec *record.Record, parts []part) error {
	if rec.Raw != nil && !c.sink.FromLines() {
		return fmt.Errorf("%s: %w", rec.Name, write.ErrUncut)
	}
	c.records++
	waits := c.backlog != nil
	c.beginRecord(len(rec.Text))
	for i := range parts {
		p := &parts[i]
		v, err := c.decider.Decide(p.sum, c.parts, p.key)
		if err != nil {
			return err
		}
		c.addPart(p, v)
		c.parts++
		waits = waits || v == hashset.Later
	}
	if waits {
		return c.addToBacklog(rec, c.known)
	}
	return c.write(rec, len(rec.Text))
}

// beginRecord resets c for the next record and begins the state that the backlog stores with the
// record. The state consists of the length of the record's text, the number of its first part, and
// each part with its verdict.
func (c *partCutter) beginRecord(size int) {
	c.cuts, c.fresh = c.cuts[:0], c.fresh[:0]
	c.known = binary.AppendUvarint(binary.AppendUvarint(c.known[:0], uint64(size)), uint64(c.parts))
}

// addPart adds a part and its verdict to the current record.
func (c *partCutter) addPart(p *part, v hashset.Verdict) {
	c.known = binary.AppendUvarint(c.known, uint64(p.Start)<<2|uint64(v))
	c.known = binary.AppendUvarint(c.known, uint64(p.End-p.Start))
	if c.save != nil {
		c.known = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(c.known, p.sum.Hi), p.sum.Lo)
	}
	c.applyVerdict(p, v)
}

// applyVerdict adds a later copy to the parts to cut, and a first copy to the parts whose hashes
// are to be saved.
func (c *partCutter) applyVerdict(p *part, v hashset.Verdict) {
	switch {
	case v == hashset.Again:
		c.cuts = append(c.cuts, p.Range)
	case v == hashset.First && c.save != nil:
		c.fresh = append(c.fresh, *p)
	}
}

// writeBacklog decides on the parts of the stored records, and writes the records without the cut
// parts.
func (c *partCutter) writeBacklog() error {
	if c.backlog == nil {
		return c.sink.Close()
	}
	c.keep = c.sink.Keep // sink.Gather would need the record's memory until the next Flush
	var found bitset.Set // numbers of first copies or, with --seen, of parts that occur often
	err := c.decider.Settle(func(n, _ int64) error { found.Add(n); return nil })
	if err != nil {
		return err
	}
	err = c.backlog.each(func(rec *record.Record, known []byte) error { return c.decideWaiting(rec, known, found) })
	return cmp.Or(err, c.sink.Close())
}

// decideWaiting decides on the parts of a stored record, and writes the record without the cut
// parts.
func (c *partCutter) decideWaiting(rec *record.Record, known []byte, found bitset.Set) error {
	number := func() int {
		n, size := binary.Uvarint(known)
		known = known[size:]
		return int(n)
	}
	c.cuts, c.fresh = c.cuts[:0], c.fresh[:0]
	size, ordinal := number(), int64(number())
	for ; len(known) > 0; ordinal++ {
		first := number()
		p, v := part{Range: write.Range{Start: first >> 2}}, hashset.Verdict(first&3)
		p.End = p.Start + number()
		if c.save != nil {
			p.sum = exacthash.Sum{Hi: binary.LittleEndian.Uint64(known), Lo: binary.LittleEndian.Uint64(known[8:])}
			known = known[16:]
		}
		if v == hashset.Later {
			v = hashset.First
			if found.Has(ordinal) == (c.opt.Seen > 0) {
				v = hashset.Again
			}
		}
		c.applyVerdict(&p, v)
	}
	return c.write(rec, size)
}

// write saves the hashes of those parts of a record that are first copies. It then writes the
// record without its cut parts, unless too little of its text is left. size is the length of the
// text.
func (c *partCutter) write(rec *record.Record, size int) error {
	if c.ids != nil && len(c.fresh) > 0 {
		if err := c.ids.Note(rec); err != nil { // the id is a duplicate, so it would not identify the hash
			return c.e.Skip(err)
		}
	}
	for i := range c.fresh {
		p := &c.fresh[i]
		c.id = ids.AppendPart(c.id[:0], rec.ID, p.Start, p.End)
		if err := c.saveSum(c.id, p.sum); err != nil {
			return err
		}
	}
	if len(c.cuts) == 0 {
		c.kept++
		return c.keep(rec)
	}
	left := size
	for _, r := range c.cuts {
		left -= r.End - r.Start
	}
	if c.opt.MinLeft.Short(left, size) {
		return nil
	}
	c.kept++
	c.cut++
	return c.sink.KeepCut(c.cutter, rec, c.cuts)
}
