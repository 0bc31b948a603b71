package recuniq

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/collection"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/rule"
	"doppel/pkg/record"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
)

// The type drops finds the kept record of each dropped one, and writes the decisions and the
// dropped records. The decider does not know the kept records, so the hashes of all records are
// sorted at the end of the input, and joined with the hashes of the collection.
//
// Cost: 24 bytes per record for its hash, 24 bytes and the id and, for --removed, the text in the
// log, and 32 bytes per dropped record, in memory or on disk.
type drops struct {
	u                  *uniq
	decisions, removed *bufio.Writer // outputs; nil if not wanted
	format             line.Format   // of the decisions

	log      spill.Log                // the records, in input order, and then the old records that decisions name
	sums     *spill.Sorter[[3]uint64] // hash and position of each record
	pairs    *spill.Sorter[[2]uint64] // old record, and position of a new record with its hash
	verdicts *spill.Sorter[[2]uint64] // position of a record, and that of its kept record plus 1; 0 for a kept record
	olds     int64                    // position of the first old record in the log
	group    struct {                 // the records whose hash is being read
		exacthash.Sum
		first uint64 // position of the first
		old   int64  // number of the old record with this hash; -1 if there is none
		n     int64
	}

	plain, ordinals   bool // ids are ordinals: in both outputs, or in the decisions
	field             []byte
	own, kept         drop
	id, keptID, entry []byte
}

// absent takes the place of a kept record in the verdict on a record that --missing drop drops.
const absent = ^uint64(0)

// A drop is an entry of the log. Old records have the ordinal -1.
type drop struct {
	ordinal  int64
	id, text []byte
}

// dropHeader is the size of the header of an entry: the ordinal and the lengths of the id and the
// text.
const dropHeader = 3 * 8

// openDrops opens the outputs for the decisions and the dropped records.
func (u *uniq) openDrops(operands []string) (err error) {
	o, e := u.opt, u.e
	if o.Decisions == "" && o.Removed == "" {
		return nil
	}
	mem := int64(e.Mem) / 16
	d := &drops{
		u: u, sums: spill.NewSorter[[3]uint64](1<<partitionBits, 2*mem), verdicts: spill.NewSorter[[2]uint64](1, mem),
		plain: o.Records.ID == "" && !o.Records.WithFilename, ordinals: o.Ordinals,
	}
	if u.old != nil {
		d.pairs = spill.NewSorter[[2]uint64](1, mem)
	}
	if !e.Records.Lines {
		d.field = []byte(strings.Join(e.Records.Fields, ","))
	}
	if o.Decisions != "" {
		d.format = lineio.FormatOf(e, o.Decisions)
		if d.decisions, err = e.Create(o.Decisions); err != nil {
			return err
		}
	}
	if o.Removed != "" {
		if d.removed, err = e.Create(o.Removed); err != nil {
			return err
		}
	}
	if !d.ordinals && !d.plain {
		e.OneID(operands)
	}
	u.drops = d
	return nil
}

// add adds a record with its hash.
func (d *drops) add(rec *record.Record, sum exacthash.Sum) error {
	if d == nil {
		return nil
	}
	at := uint64(d.log.Len())
	if err := d.sums.Add(int(sum.Hi>>(64-partitionBits)), [3]uint64{sum.Hi, sum.Lo, at}); err != nil {
		return err
	}
	text := rec.Text
	if d.removed == nil {
		text = nil
	}
	return d.store(rec.Ordinal, rec.ID, text)
}

// addMissing adds a record that --missing drop drops.
func (d *drops) addMissing(rec *record.Record) error {
	if d == nil || d.removed == nil {
		return nil
	}
	if err := d.verdicts.Add(0, [2]uint64{uint64(d.log.Len()), absent}); err != nil {
		return err
	}
	return d.store(rec.Ordinal, rec.ID, nil)
}

// store appends an entry to the log.
func (d *drops) store(ordinal int64, id, text []byte) error {
	d.entry = d.entry[:0]
	for _, n := range [...]int64{ordinal, int64(len(id)), int64(len(text))} {
		d.entry = binary.LittleEndian.AppendUint64(d.entry, uint64(n))
	}
	d.entry = append(d.entry, id...)
	if _, err := d.log.Write(d.entry); err != nil {
		return err
	}
	_, err := d.log.Write(text)
	return err
}

// read reads the entry at a position of the log. It is valid until the next read through the
// window.
func (x *drop) read(w *spill.Window, at int64) error {
	header, err := w.Bytes(at, dropHeader)
	if err != nil {
		return err
	}
	number := func(i int) int64 { return int64(binary.LittleEndian.Uint64(header[8*i:])) }
	ordinal, id, text := number(0), number(1), number(2)
	body, err := w.Bytes(at+dropHeader, id+text)
	if err != nil {
		return err
	}
	x.ordinal, x.id, x.text = ordinal, body[:id:id], body[id:]
	return nil
}

// finish decides which records are dropped, and writes the outputs.
func (d *drops) finish() error {
	var err error
	if d.u.old == nil {
		for _, kerr := range d.hashes() {
			err = cmp.Or(err, kerr)
		}
	} else {
		err = d.u.old.Join(d.hashes(), 1, func(_ uint32, old int64) error {
			d.group.old = old
			return nil
		})
	}
	d.olds = d.log.Len()
	if err == nil && d.pairs != nil {
		err = d.nameOlds()
	}
	if err == nil {
		err = d.write()
	}
	return cmp.Or(err, d.log.Close())
}

// hashes returns the different hashes of the records, sorted. After each, Join has set the old
// record of the group, and the records of the group are read.
func (d *drops) hashes() iter.Seq2[collection.Key, error] {
	return func(yield func(collection.Key, error) bool) {
		stopped, first := false, true
		err := eachSum(d.sums, int64(d.u.e.Mem), func(x [3]uint64) (more bool, err error) {
			g := &d.group
			if sum := (exacthash.Sum{Hi: x[0], Lo: x[1]}); first || sum != g.Sum {
				g.Sum, g.first, g.old, g.n, first = sum, x[2], -1, 0, false
				if !yield(collection.Key{Bucket: sum.Hi, Rest: sum.Lo}, nil) {
					stopped = true
					return false, nil
				}
			}
			return true, d.addToGroup(x[2])
		})
		if err != nil && !stopped {
			yield(collection.Key{}, err)
		}
	}
}

// addToGroup adds the record at a position of the log to the group.
func (d *drops) addToGroup(at uint64) error {
	g := &d.group
	g.n++
	switch {
	case g.old >= 0:
		return d.pairs.Add(0, [2]uint64{uint64(g.old), at})
	case g.n == 1:
		return nil
	case g.n == 2:
		if err := d.verdicts.Add(0, [2]uint64{g.first, 0}); err != nil {
			return err
		}
	}
	return d.verdicts.Add(0, [2]uint64{at, g.first + 1})
}

// eachSum calls fn with the entries of a sorter, sorted by their first two words, until fn returns
// false, and closes the sorter. mem is the memory of the run, in bytes.
func eachSum(sums *spill.Sorter[[3]uint64], mem int64, fn func([3]uint64) (bool, error)) (err error) {
	room, more := new(spill.Room[[3]uint64]), true
	most := max(1<<12, int(mem)/8/48)
	for p := 0; p < sums.Partitions() && err == nil && more; p++ {
		if sums.PartLen(p) == 0 {
			continue
		}
		err = sums.Pieces(room, p, most, func(piece [][3]uint64) (err error) {
			slices.SortStableFunc(piece, func(a, b [3]uint64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
			for i := 0; i < len(piece) && err == nil && more; i++ {
				more, err = fn(piece[i])
			}
			return err
		})
	}
	return cmp.Or(err, sums.Close())
}

// nameOlds adds the verdicts on the records that have the hash of an old record. It reads the ids
// of the old records in their order.
func (d *drops) nameOlds() error {
	ids := d.u.old.NewReader()
	last, at, id := ^uint64(0), int64(0), []byte(nil)
	return d.eachMerged(d.pairs, func(p [2]uint64) (err error) {
		if p[0] != last {
			if id, err = ids.ID(id[:0], int64(p[0])); err != nil {
				return err
			}
			last, at = p[0], d.log.Len()
			if err = d.store(-1, id, nil); err != nil {
				return err
			}
		}
		return d.verdicts.Add(0, [2]uint64{p[1], uint64(at) + 1})
	})
}

// eachMerged calls fn with the entries of a sorter, sorted by their first word, and closes it.
func (d *drops) eachMerged(s *spill.Sorter[[2]uint64], fn func([2]uint64) error) error {
	if n := s.PartLen(0); n > 0 {
		most := min(n, max(1<<12, int(d.u.e.Mem)/256))
		err := s.Merged(0, most, func(piece [][2]uint64) (err error) {
			for i := 0; i < len(piece) && err == nil; i++ {
				err = fn(piece[i])
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.Close()
}

// write writes the decisions and the dropped records in input order, and notes which records the
// collection has.
func (d *drops) write() error {
	all, single := d.log.Window(1<<18), d.log.Window(0)
	return d.eachMerged(d.verdicts, func(v [2]uint64) error {
		if err := d.own.read(all, int64(v[0])); err != nil {
			return err
		}
		if v[1] == absent {
			return d.writeRemoved(false)
		}
		dec := line.Decision{Verdict: line.Keep, Rule: rule.Best.Append(nil)}
		if v[1] > 0 {
			at := int64(v[1] - 1)
			if err := d.kept.read(single, at); err != nil {
				return err
			}
			if at >= d.olds {
				d.u.inOld.Add(d.own.ordinal)
			}
			d.keptID = d.appendID(d.keptID[:0], &d.kept, d.plain || d.ordinals)
			dec = line.Decision{Verdict: line.Drop, Kept: d.keptID, Score: cell.Float(1), Rule: rule.Duplicate.Append(nil)}
		}
		d.id = d.appendID(d.id[:0], &d.own, d.plain || d.ordinals)
		dec.ID = d.id
		if d.decisions != nil {
			d.entry = dec.Append(d.entry[:0], d.format)
			if _, err := d.decisions.Write(d.entry); err != nil {
				return err
			}
		}
		if d.removed == nil || v[1] == 0 {
			return nil
		}
		return d.writeRemoved(true)
	})
}

// writeRemoved writes the object for the record d.own, which is a copy of d.kept or has no text.
// The text of an old record is unknown.
func (d *drops) writeRemoved(isCopy bool) error {
	d.id = d.appendID(d.id[:0], &d.own, d.plain)
	o := line.Removed{ID: d.id, Numbers: d.plain, Field: d.field, Reason: rule.Missing.Append(nil)}
	if isCopy {
		d.keptID = d.appendID(d.keptID[:0], &d.kept, d.plain)
		o.Kept, o.Value, o.Reason = d.keptID, d.own.text, rule.Duplicate.Append(nil)
		o.Score = cell.AppendFloat(nil, 1)
		if d.kept.ordinal >= 0 {
			o.Matched = d.kept.text
		}
	}
	d.entry = o.Append(d.entry[:0])
	_, err := d.removed.Write(d.entry)
	return err
}

// appendID appends the ordinal of a new record, or the id of a record.
func (d *drops) appendID(dst []byte, x *drop, ordinals bool) []byte {
	if ordinals && x.ordinal >= 0 {
		return strconv.AppendInt(dst, x.ordinal, 10)
	}
	start := len(dst)
	dst = append(dst, x.id...)
	if at := bytes.IndexByte(dst[start:], 0); x.ordinal >= 0 && at >= 0 && d.u.e.Records.IDAfterNUL {
		dst[start+at] = ':'
	}
	return dst
}
