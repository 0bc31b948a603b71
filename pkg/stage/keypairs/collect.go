package keypairs

import (
	"bytes"
	"errors"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A collector collects the lines of a bucket, which come together, and spools
// the pairs of each, until all ids that have any are known and can be ranked.
type collector struct {
	e      *tool.Env
	opt    option.Pairing
	ids    ids.Table
	pairs  spill.Spool[[1]uint64] // numbers of ids
	common []line.Common
	bucket bucket
	twins  twins
	key    []byte // of the last line
	group  uint64 // of the last line
}

// line takes the next line of sorted ones. Lines that are not sorted end the run even
// under -k, for every one that followed would be bad.
func (c *collector) line(rec *record.Record) error {
	k, err := c.parse(rec.Raw)
	if err != nil {
		return lines.Bad(c.e, rec, err)
	}
	last := line.Key{Text: c.key}
	if bytes.Compare(k.Bucket(), last.Bucket()) < 0 {
		err := rec.At(errors.New("the keys are not sorted"))
		return wording.WithHint(err, "sort them: LC_ALL=C sort; or --unsorted does")
	}
	if err := c.twins.check(k); err != nil {
		return err
	}
	return c.take(k)
}

// take takes the next key, of those of its bucket one behind the other.
func (c *collector) take(k line.Key) error {
	last := line.Key{Text: c.key}
	if !bytes.Equal(k.Bucket(), last.Bucket()) {
		c.flush()
	}
	if !bytes.Equal(k.Text, c.key) || k.Digest() == nil {
		c.group++
	}
	c.key = append(c.key[:0], k.Text...)
	c.bucket.add(k.ID, c.group)
	return c.ids.Full()
}

func (c *collector) parse(text []byte) (k line.Key, err error) {
	if c.e.Null {
		return k, k.ParseRaw(text)
	}
	return k, k.Parse(text)
}

// flush spools the pairs of the bucket.
func (c *collector) flush() {
	skipped := c.bucket.pair(&c.ids, &c.opt.Pairing, func(a, b uint32) {
		c.pairs.Add([1]uint64{uint64(a)<<32 | uint64(b)})
	})
	for _, k := range skipped { // at most one
		last := line.Key{Text: c.key}
		c.common = append(c.common, line.Common{
			Key:     bytes.Clone(last.Bucket()),
			Records: int64(k.Records),
			Example: bytes.Clone(c.bucket.entries[k.Example].id),
		})
	}
	c.bucket.clear()
}

// write writes all pairs, sorted, each once.
func (c *collector) write() error {
	c.flush()
	c.bucket = bucket{} // which may have been a large one
	names := pairs.Ranks{IDs: &c.ids.List, Order: c.ids.Order()}
	sorter, err := c.sorted(ids.Ranks(names.Order))
	if err != nil {
		return err
	}
	pairs.ReportHot(c.e, c.opt.Skipped, nil)
	if err := pairs.ReportCommon(c.e, c.opt.List, c.opt.Common, c.common); err != nil {
		return err
	}
	return pairs.Write(c.e, sorter, names, pairs.Form{Format: lines.Format(c.e), Count: c.opt.Count})
}

// sorted returns the pairs by their ranks.
func (c *collector) sorted(ranks []uint32) (*lsh.PairSorter, error) {
	sorter := lsh.NewPairSorter(c.ids.Len(), int64(c.e.Mem))
	return sorter, c.pairs.Each(func(p [1]uint64) error {
		a, b := uint32(p[0]>>32), uint32(p[0])
		if ranks != nil {
			a, b = ranks[a], ranks[b]
		}
		return sorter.Add(a, b)
	})
}
