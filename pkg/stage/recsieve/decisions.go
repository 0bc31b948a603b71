package recsieve

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/rule"
	"doppel/pkg/spill"
)

// A verdict says why a record is dropped. The low 16 bits are the score, and the other bits are the
// position of the leader in the store. The leader is the kept record to which the dropped record is
// similar. A zero verdict means that the record is kept.
type verdict uint64

func newVerdict(leader int64, score int) verdict { return verdict(leader)<<16 | verdict(score) }

func (v verdict) leader() int64 { return int64(v >> 16) }

// absent is the verdict on a record that --missing drop drops: it has no leader.
const absent verdict = 1<<16 - 1

// score returns the score, or -1 for a kept record.
func (v verdict) score() int {
	if v == 0 {
		return -1
	}
	return int(v & (1<<16 - 1))
}

// The type drops stores the verdicts on the dropped records, in bounded memory. Until the end of
// the input, a verdict takes 32 bytes, in memory or on disk: 16 for the record and 16 for its leader.
type drops struct {
	decisions, removed *bufio.Writer            // outputs; nil if not wanted
	format             line.Format              // of the decisions
	byPlace            *spill.Sorter[[2]uint64] // position and verdict of each record; the verdict of a leader is 0
	olds               int64                    // position of the first old record in the store, after all others; math.MaxInt64 if there is none
	mem                int64                    // memory for sorting, in bytes
}

// addMissing adds the record at a position in the store as one that --missing drop drops.
func (d *drops) addMissing(at int64) error {
	return d.byPlace.Add(0, [2]uint64{uint64(at), uint64(absent)})
}

// add adds the verdict on the record at a position in the store, and its leader.
func (d *drops) add(at int64, v verdict) error {
	if v.leader() < d.olds { // no decision keeps an old record
		if err := d.byPlace.Add(0, [2]uint64{uint64(v.leader()), 0}); err != nil {
			return err
		}
	}
	return d.byPlace.Add(0, [2]uint64{uint64(at), uint64(v)})
}

// writeDecisions writes the decisions and the dropped records, in input order.
func (r *run) writeDecisions() error {
	if r.drops == nil {
		return nil
	}
	w := &decisionWriter{
		drops:     r.drops,
		ordinals:  r.opt.Ordinals,
		plain:     r.opt.Records.ID == "" && !r.opt.Records.WithFilename,
		collected: r.seen != nil,
		estimates: r.store.signatureBytes > 0,
		reason:    rule.Score.AppendLeast(nil, r.opt.Keys.Threshold),
		missing:   rule.Missing.Append(nil),
		threshold: strconv.AppendFloat(nil, r.opt.Keys.Threshold, 'g', -1, 64),
		all:       r.store.reader(1 << 16),
		single:    r.store.reader(0),
	}
	if !r.e.Records.Lines {
		w.field = []byte(strings.Join(r.e.Records.Fields, ","))
	}
	most := min(r.drops.byPlace.PartLen(0), max(1<<12, int(r.drops.mem/16)))
	if most == 0 {
		return nil
	}
	last := int64(-1)
	return r.drops.byPlace.Merged(0, most, func(piece [][2]uint64) error {
		for _, x := range piece {
			at := int64(x[0])
			if x[1] == 0 && at == last {
				continue
			}
			last = at
			if err := w.write(at, verdict(x[1])); err != nil {
				return err
			}
		}
		return nil
	})
}

// A decisionWriter writes decisions and dropped records.
type decisionWriter struct {
	*drops
	ordinals    bool   // decisions name records by their ordinals
	plain       bool   // ids are ordinals
	collected   bool   // in ids of new records, a NUL follows the name of the file
	estimates   bool   // old records have signatures, not texts
	field       []byte // names of the text fields; nil if records have no fields
	reason      []byte
	missing     []byte // reason for a record without a text
	threshold   []byte
	score       []byte
	all, single *entryReader
	own, kept   entry
	id, keptID  []byte
	text        []byte
}

// write writes the decision on the record at a position in the store and, if the record is dropped,
// the object that keepdrop --removed writes for it. A record without a text is in no decision.
func (w *decisionWriter) write(at int64, v verdict) (err error) {
	if err = w.all.read(&w.own, at); err != nil {
		return err
	}
	if v == absent {
		return w.writeRemoved(v)
	}
	w.id = w.appendName(w.id[:0], &w.own)
	d := line.Decision{Verdict: line.Keep, ID: w.id, Rule: rule.Best.Append(nil)}
	if v != 0 {
		if err = w.single.read(&w.kept, v.leader()); err != nil {
			return err
		}
		w.keptID = w.appendName(w.keptID[:0], &w.kept)
		d = line.Decision{Verdict: line.Drop, ID: w.id, Kept: w.keptID, Score: cell.Float(float64(v.score()) / group.Scale), Rule: w.reason}
	}
	if w.decisions != nil {
		w.text = d.Append(w.text[:0], w.format)
		if _, err := w.decisions.Write(w.text); err != nil {
			return err
		}
	}
	if w.removed == nil || v == 0 {
		return nil
	}
	return w.writeRemoved(v)
}

// writeRemoved writes the object for the record w.own, which v drops.
func (w *decisionWriter) writeRemoved(v verdict) error {
	w.id = w.appendID(w.id[:0], &w.own, w.plain)
	o := line.Removed{ID: w.id, Numbers: w.plain, Field: w.field, Reason: w.missing}
	if v != absent {
		w.keptID = w.appendID(w.keptID[:0], &w.kept, w.plain)
		o.Kept, o.Value, o.Matched = w.keptID, w.own.text, w.kept.text
		if w.estimates && w.kept.ordinal == oldOrdinal {
			o.Matched = nil // the collection has no texts
		}
		w.score = cell.AppendFloat(w.score[:0], float64(v.score())/group.Scale)
		o.Score, o.Limit, o.Reason = w.score, w.threshold, w.reason
	}
	w.text = o.Append(w.text[:0])
	_, err := w.removed.Write(w.text)
	return err
}

// appendName appends the name by which decisions refer to a record.
func (w *decisionWriter) appendName(dst []byte, x *entry) []byte {
	return w.appendID(dst, x, w.plain || w.ordinals)
}

// appendID appends the ordinal of a new record, or the id of a record. With a collection, ids begin
// with the name of a file, so that those of new records differ from those of old ones.
func (w *decisionWriter) appendID(dst []byte, x *entry, ordinals bool) []byte {
	if ordinals && x.ordinal != oldOrdinal {
		return strconv.AppendInt(dst, x.ordinal, 10)
	}
	start := len(dst)
	dst = append(dst, x.id...)
	if at := bytes.IndexByte(dst[start:], 0); x.ordinal != oldOrdinal && at >= 0 && w.collected {
		dst[start+at] = ':'
	}
	return dst
}
