package keypairs

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
)

// A collector reads one bucket after another and stores the pairs of each bucket. The pairs can be
// written only after the input has been read, because ids cannot be ranked before all are known.
type collector struct {
	e       *tool.Env
	opt     option.Pairing
	ids     ids.Table
	pairs   spill.Spool[[1]uint64] // pairs of id numbers
	common  []line.Common          // keys with too many records to be paired
	bucket  bucket
	begun   bool // a line was parsed
	idCheck idCheck
	key     []byte // key of the last line
	group   uint64 // group of the last line
}

// addLine adds the next line of sorted input. It returns an error if the line is out of order, even
// with -k, because most of the following lines would be out of order, too.
func (c *collector) addLine(rec *record.Record) error {
	k, err := c.parse(rec.Raw)
	if err != nil {
		return lineio.Bad(c.e, rec, err)
	}
	last := line.Key{Text: c.key}
	if bytes.Compare(k.Bucket(), last.Bucket()) < 0 {
		err := rec.At(errors.New("the keys are not sorted"))
		return msg.WithHint(err, "sort the keys: LC_ALL=C sort, or use --unsorted")
	}
	if err := c.idCheck.check(k); err != nil {
		return err
	}
	return c.addKey(k)
}

// addKey adds the next key. The keys of a bucket must be consecutive.
func (c *collector) addKey(k line.Key) error {
	last := line.Key{Text: c.key}
	if !bytes.Equal(k.Bucket(), last.Bucket()) {
		c.flush()
	}
	if !bytes.Equal(k.Text, c.key) || k.Digest() == nil {
		c.group++
	}
	c.key = append(c.key[:0], k.Text...)
	b := &c.bucket
	start := len(b.text)
	b.text = append(b.text, k.ID...)
	e := entry{id: b.text[start:], group: c.group}
	if value := k.Value(); value != nil {
		var ok bool
		if e.value, ok = digest.ParseHex(value); !ok {
			return fmt.Errorf("invalid key %q: want 16 hex digits after the second dot", k.Text)
		}
		c.opt.Apart = true
	}
	b.entries = append(b.entries, e)
	return c.ids.Full()
}

// parse parses a line. It returns an error if the first line is of another kind.
func (c *collector) parse(text []byte) (k line.Key, err error) {
	if !c.begun {
		c.begun = true
		if err := lineio.Refuse(text, "keys", "signatures", "decisions", "groups", "matches", "scored pairs"); err != nil {
			return k, err
		}
	}
	if c.e.Null {
		return k, k.ParseRaw(text)
	}
	return k, k.Parse(text)
}

// flush stores the pairs of the current bucket and empties the bucket.
func (c *collector) flush() {
	b, p := &c.bucket, &c.opt.Pairing
	if len(b.entries) > 1 {
		slices.SortFunc(b.entries, func(a, b entry) int { return ids.Compare(a.id, b.id) })
		b.members = b.members[:0]
		for i := range b.entries {
			n := &b.entries[i]
			n.number = c.ids.Intern(n.id)
			b.members = append(b.members, lsh.Member{Rank: uint32(i), Group: n.group, Value: n.value})
		}
		p.Bucket(b.number, b.members, func(i, j uint32) {
			if x, y := b.entries[i].number, b.entries[j].number; x != y {
				c.pairs.Add([1]uint64{uint64(x)<<32 | uint64(y)})
			}
		})
	}
	for _, k := range p.Skipped.Common { // at most one element
		last := line.Key{Text: c.key}
		c.common = append(c.common, line.Common{
			Key:     bytes.Clone(last.Bucket()),
			Records: int64(k.Records),
			Example: bytes.Clone(b.entries[k.Example].id),
		})
	}
	p.Skipped.Common = nil
	b.number++
	b.entries, b.text = b.entries[:0], b.text[:0]
}

// A bucket holds the lines whose keys are equal up to the first dot. The ids of the lines are added
// to the table only if the bucket has two or more lines, because most keys have a single record,
// whose id is not needed.
type bucket struct {
	number  uint64
	entries []entry
	text    []byte // concatenated ids
	members []lsh.Member
}

// An entry is a line of a bucket.
type entry struct {
	id     []byte
	number uint32 // id number
	group  uint64 // number of the group of lines with the same key
	value  uint64 // lines with equal values are not paired
}
