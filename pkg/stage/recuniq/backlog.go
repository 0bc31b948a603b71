package recuniq

import (
	"encoding/binary"
	"strconv"

	"doppel/pkg/digest/exact"
	"doppel/pkg/hashset"
	"doppel/pkg/record"
	"doppel/pkg/record/ordinals"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// A backlog keeps records in order until it is known which of them are first
// copies. A record is a header and its bytes.
type backlog struct {
	log    spill.Log
	header []byte
}

// A header is what is known of a record while it waits.
type header struct {
	ordinal  int64
	sum      exact.Sum
	verdict  hashset.Verdict // as it was known
	hashable bool
	id, raw  int64 // lengths
}

const headerSize = 6*8 + 1

func (h *header) appendTo(dst []byte) []byte {
	for _, v := range []uint64{uint64(h.ordinal), h.sum.Hi, h.sum.Lo, uint64(h.verdict), uint64(h.id), uint64(h.raw)} {
		dst = binary.LittleEndian.AppendUint64(dst, v)
	}
	if h.hashable {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func (h *header) parse(b *[headerSize]byte) {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	*h = header{int64(word(0)), exact.Sum{Hi: word(1), Lo: word(2)}, hashset.Verdict(word(3)), b[headerSize-1] == 1, int64(word(4)), int64(word(5))}
}

// wait puts a record into the backlog.
func (u *uniq) wait(rec *record.Record, sum exact.Sum, v hashset.Verdict, hashable bool) error {
	if u.backlog == nil {
		u.backlog = new(backlog)
	}
	b, h := u.backlog, header{rec.Ordinal, sum, v, hashable, int64(len(rec.ID)), int64(len(rec.Raw))}
	b.header = h.appendTo(b.header[:0])
	b.log.Write(b.header)
	b.log.Write(rec.ID)
	_, err := b.log.Write(rec.Raw)
	return err
}

// each calls fn with the waiting records in order.
func (b *backlog) each(fn func(header, *record.Record) error) error {
	var h header
	window := b.log.Window(1 << 18)
	for at := int64(0); at < b.log.Len(); at += h.id + h.raw {
		header, err := window.Bytes(at, headerSize)
		if err != nil {
			return err
		}
		h.parse((*[headerSize]byte)(header))
		at += headerSize
		body, err := window.Bytes(at, h.id+h.raw)
		if err != nil {
			return err
		}
		if err := fn(h, &record.Record{Ordinal: h.ordinal, ID: body[:h.id:h.id], Raw: body[h.id:]}); err != nil {
			return err
		}
	}
	return b.log.Close()
}

// settle decides and writes what waits.
func (u *uniq) settle() error {
	if u.opt.Count && !u.sink.Lines() {
		return tool.UsageError("--count writes lines, and the input is none")
	}
	if u.backlog == nil {
		return u.sink.Close()
	}
	u.keep = u.sink.Keep // for the memory of a waiting record is used again
	var firsts ordinals.Set
	counts := spill.NewSorter[[2]uint64](1, int64(u.e.Mem)/8)
	err := u.decider.Settle(func(ordinal, count int64) error {
		firsts.Add(ordinal)
		if u.opt.Count {
			return counts.Add(0, [2]uint64{uint64(ordinal), uint64(count)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if u.opt.Count {
		return u.writeCounts(counts)
	}
	if err := u.release(firsts); err != nil {
		return err
	}
	return u.sink.Close()
}

// release decides the records that wait: of those that could be first copies firsts are.
func (u *uniq) release(firsts ordinals.Set) error {
	return u.backlog.each(func(h header, rec *record.Record) error {
		v := h.verdict
		if v == hashset.Later {
			if v = hashset.Again; firsts.Has(h.ordinal) {
				v = hashset.First
			}
		}
		return u.decided(rec, h.sum, v, h.hashable)
	})
}

// writeCounts writes each first copy behind the number of all its copies.
func (u *uniq) writeCounts(counts *spill.Sorter[[2]uint64]) error {
	sorted, err := counts.Sorted(0)
	if err != nil {
		return err
	}
	err = u.backlog.each(func(h header, rec *record.Record) error {
		n := uint64(1)
		if h.hashable {
			if len(sorted) == 0 || sorted[0][0] != uint64(h.ordinal) {
				return nil // a later copy
			}
			n, sorted = sorted[0][1], sorted[1:]
		}
		rec.Raw = append(appendCount(nil, n), rec.Raw...)
		return u.decided(rec, h.sum, hashset.First, h.hashable)
	})
	if err != nil {
		return err
	}
	return counts.Close()
}

func appendCount(dst []byte, n uint64) []byte {
	return append(strconv.AppendUint(dst, n, 10), '\t')
}
