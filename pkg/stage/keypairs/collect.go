package keypairs

import (
	"bytes"
	"fmt"
	"slices"

	"doppel/pkg/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// A collector collects the lines of a bucket, which come together, and spools
// the pairs of each, until all ids are known and can be ranked.
type collector struct {
	raw     bool // ids are not escaped
	pairing lsh.Pairing
	sharing stages.Sharing
	common  []stages.CommonKey
	ids     ids.Table
	pairs   spill.Spool[[1]uint64] // numbers of ids

	key     []byte     // of the last line
	group   uint64     // of the last line
	bucket  []numbered // the lines of this bucket
	members []lsh.Member
	number  uint64 // of the bucket
}

// A numbered is a line of a bucket.
type numbered struct {
	id     []byte
	number uint32
	group  uint64
}

func newCollector(raw bool, p lsh.Pairing, s stages.Sharing) *collector {
	return &collector{raw: raw, pairing: p, sharing: s}
}

// line takes the next line: its first column is the key, its last one the id.
func (c *collector) line(rec *record.Record) error {
	first, last := bytes.IndexByte(rec.Raw, '\t'), bytes.LastIndexByte(rec.Raw, '\t')
	if first < 0 {
		return &record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: fmt.Errorf("want the columns %s", tsv.Keys)}
	}
	key, id := rec.Raw[:first], rec.Raw[last+1:]
	if c.raw {
		id = rawID(rec.Raw[first+1:])
	}
	if !c.raw {
		id = tsv.Unescape(id)
	}
	switch cmp := bytes.Compare(bucketOf(key), bucketOf(c.key)); {
	case cmp < 0:
		return tool.WithHint(fmt.Errorf("%s:%d: the keys are not sorted", rec.Name, rec.Line), "LC_ALL=C sort")
	case cmp > 0:
		c.flush()
	}
	if !bytes.Equal(key, c.key) || bytes.IndexByte(key, '.') < 0 {
		c.group++
	}
	c.key = append(c.key[:0], key...)
	c.bucket = append(c.bucket, numbered{id: id, number: c.ids.Intern(id), group: c.group})
	return nil
}

// rawID returns the id behind the key of a line that ends in NUL, in which
// nothing is escaped: all that follows, but for a number in between, such as
// the size that blockhash writes.
func rawID(rest []byte) []byte {
	number, id, found := bytes.Cut(rest, []byte{'\t'})
	if _, ok := ids.Ordinal(number); found && ok {
		return id
	}
	return rest
}

// bucketOf returns the part of a key that says what meets.
func bucketOf(key []byte) []byte {
	if n := bytes.IndexByte(key, '.'); n >= 0 {
		return key[:n]
	}
	return key
}

// flush spools the pairs of the bucket.
func (c *collector) flush() {
	c.number++
	if len(c.bucket) > 1 {
		c.pair()
	}
	c.bucket = c.bucket[:0]
}

func (c *collector) pair() {
	for i := range c.bucket {
		c.bucket[i].id = c.ids.Append(nil, int(c.bucket[i].number))
	}
	slices.SortFunc(c.bucket, func(a, b numbered) int { return ids.Compare(a.id, b.id) })
	c.members = c.members[:0]
	for i, n := range c.bucket {
		c.members = append(c.members, lsh.Member{Rank: uint32(i), Group: n.group})
	}
	c.pairing.Bucket(c.number, c.members, func(a, b uint32) {
		if x, y := c.bucket[a].number, c.bucket[b].number; x != y {
			c.pairs.Add([1]uint64{uint64(x)<<32 | uint64(y)})
		}
	})
	for _, k := range c.pairing.Skipped.Common { // at most one
		c.common = append(c.common, stages.CommonKey{Key: string(bucketOf(c.key)), Records: k.Records, Example: c.bucket[k.Example].id})
	}
	c.pairing.Skipped.Common = nil
}

// write writes all pairs, sorted, each once.
func (c *collector) write(e *tool.Env) error {
	c.flush()
	order := c.ids.Order()
	ranks := ids.Ranks(order)
	sorter := lsh.NewPairSorter(c.ids.Len(), int64(e.Mem))
	err := c.pairs.Each(func(p [1]uint64) error {
		a, b := uint32(p[0]>>32), uint32(p[0])
		if ranks != nil {
			a, b = ranks[a], ranks[b]
		}
		return sorter.Add(a, b)
	})
	if err != nil {
		return err
	}
	stages.ReportSkipped(e, c.pairing.Skipped)
	if err := stages.ReportCommon(e, c.sharing, c.pairing.Common, c.common); err != nil {
		return err
	}
	return stages.WritePairs(e, c.sharing.Stream(), sorter, stages.RankName(&c.ids.List, order))
}
