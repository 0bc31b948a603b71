package recuniq

import (
	"cmp"
	"encoding/binary"
	"strconv"

	"doppel/pkg/digest/exacthash"
	"doppel/pkg/hashset"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// A backlog stores undecided records in input order. The state stored with a record says what is
// known about the record so far. Records that follow an undecided record are stored, too, so that
// the output keeps the input order.
type backlog struct {
	log    spill.Log
	header []byte
}

// headerSize is the size of the header of a record: its ordinal and the lengths of its state, id
// and raw bytes.
const headerSize = 4 * 8

// addToBacklog adds a record to the backlog. The parameter known holds the encoded state of the
// record.
func (u *uniq) addToBacklog(rec *record.Record, known []byte) error {
	if u.backlog == nil {
		u.backlog = new(backlog)
	}
	b := u.backlog
	b.header = b.header[:0]
	for _, n := range []int64{rec.Ordinal, int64(len(known)), int64(len(rec.ID)), int64(len(rec.Raw))} {
		b.header = binary.LittleEndian.AppendUint64(b.header, uint64(n))
	}
	b.log.Write(b.header)
	b.log.Write(known)
	b.log.Write(rec.ID)
	_, err := b.log.Write(rec.Raw)
	return err
}

// each calls fn with every stored record and its state, in input order, and closes the backlog. A
// record is valid until fn returns.
func (b *backlog) each(fn func(rec *record.Record, known []byte) error) error {
	window := b.log.Window(1 << 18)
	for at := int64(0); at < b.log.Len(); {
		head, err := window.Bytes(at, headerSize)
		if err != nil {
			return err
		}
		number := func(i int) int64 { return int64(binary.LittleEndian.Uint64(head[8*i:])) }
		ordinal, known, id, raw := number(0), number(1), number(2), number(3)
		at += headerSize
		body, err := window.Bytes(at, known+id+raw)
		if err != nil {
			return err
		}
		at += known + id + raw
		rec := &record.Record{Ordinal: ordinal, ID: body[known : known+id : known+id], Raw: body[known+id:]}
		if err := fn(rec, body[:known]); err != nil {
			return err
		}
	}
	return b.log.Close()
}

// A decision is the state of a stored record if records are not split into parts.
type decision struct {
	sum      exacthash.Sum
	verdict  hashset.Verdict // verdict when the record was read
	hashable bool            // the record has a hash; empty texts have none
}

func (d *decision) append(dst []byte) []byte {
	last := uint64(d.verdict) << 1
	if d.hashable {
		last |= 1
	}
	for _, w := range []uint64{d.sum.Hi, d.sum.Lo, last} {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// parseDecision parses a decision encoded by the method append.
func parseDecision(b []byte) decision {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return decision{exacthash.Sum{Hi: word(0), Lo: word(1)}, hashset.Verdict(word(2) >> 1), word(2)&1 != 0}
}

// writeBacklog decides on the stored records and writes them. With --count it writes the number of
// copies before each first copy.
func (u *uniq) writeBacklog() error {
	if u.opt.Count && !u.sink.Lines() {
		return tool.UsageError("--count applies only to input of lines")
	}
	if u.backlog == nil {
		return u.sink.Close()
	}
	// n is the number of copies of the current record.
	n := uint64(1)
	// sink.Gather would need the record's memory until the next Flush.
	u.keep = func(rec *record.Record) error { return u.sink.KeepSized(rec, int64(n)) }
	var firsts bitset.Set
	counts := spill.NewSorter[[2]uint64](1, int64(u.e.Mem)/8)
	err := u.decider.Settle(func(ordinal, count int64) error {
		firsts.Add(ordinal)
		if u.opt.wantsCounts() {
			return counts.Add(0, [2]uint64{uint64(ordinal), uint64(count)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	sorted, err := counts.Sorted(0)
	if err != nil {
		return err
	}
	err = u.backlog.each(func(rec *record.Record, known []byte) error {
		d := parseDecision(known)
		v := d.verdict
		switch n = 1; {
		case u.opt.wantsCounts():
			if d.hashable {
				if len(sorted) == 0 || sorted[0][0] != uint64(rec.Ordinal) {
					return nil // not a first copy
				}
				n, sorted = sorted[0][1], sorted[1:]
			}
			if v = hashset.First; u.opt.Count {
				rec.Raw = append(append(strconv.AppendUint(nil, n, 10), '\t'), rec.Raw...)
			}
		case v == hashset.Later && firsts.Has(rec.Ordinal):
			v = hashset.First
		case v == hashset.Later:
			v = hashset.Again
		}
		if v == hashset.First && d.hashable && u.inOld.Has(rec.Ordinal) {
			v = hashset.Again
		}
		return u.writeDecided(rec, d.sum, v, d.hashable)
	})
	if err != nil {
		return err
	}
	return cmp.Or(counts.Close(), u.sink.Close())
}
