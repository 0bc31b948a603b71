package collection

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// live returns the number of records of a segment that are not removed.
func (s Segment) live() int64 { return s.Records - s.Removed }

// grownFrom returns the index of the first segment that is to be merged with all segments after it,
// or the number of segments if there is none. A segment is merged when those after it have at least
// as many records. Afterwards, each segment has more records than all after it, so n records that
// were added in batches of b are in at most log2(n/b)+1 segments.
//
// If 100 batches of about equal size are added, a record is rewritten 3.3 times, and there are 3.2
// segments in the mean. If a segment were merged only when those after it have twice as many
// records, these were 2.7 and 4.0; with half as many, 4.8 and 2.6. For a million records of 16 keys,
// a merge takes 0.6 s of processor time, and a segment more takes 0.25 s to join with.
func grownFrom(segments []Segment) int {
	from, after := len(segments), int64(0)
	for i := len(segments) - 1; i >= 0; i-- {
		n := segments[i].live()
		if n+after > mostRecords {
			break
		}
		if n <= after {
			from = i
		}
		after += n
	}
	return from
}

// mergeGrown merges the segments that are small compared with those after them.
func (w *Writer) mergeGrown() error {
	if from := grownFrom(w.m.Segments); from < len(w.m.Segments) {
		return w.merge(from, len(w.m.Segments))
	}
	return nil
}

// Merge merges all segments into one, or into as few as hold all records, and forgets the removed
// records. It reports whether there was anything to do. The records get new numbers, in the
// same order. Collection still returns the collection as it was before.
func (w *Writer) Merge() (bool, error) {
	did := false
	for from := 0; from < len(w.m.Segments); from++ {
		to, n := from, int64(0)
		for to < len(w.m.Segments) && (to == from || n+w.m.Segments[to].live() <= mostRecords) {
			n += w.m.Segments[to].live()
			to++
		}
		if to == from+1 && w.m.Segments[from].Removed == 0 {
			continue
		}
		did = true
		before := len(w.m.Segments)
		if err := w.merge(from, to); err != nil {
			return did, err
		}
		if len(w.m.Segments) == before-(to-from) {
			from-- // no record is left
		}
	}
	return did, nil
}

// merge replaces neighbouring segments by one, or by none if no record is left.
func (w *Writer) merge(from, to int) error {
	c, err := openSegments(w.dir, &manifest{Scheme: w.m.Scheme, Segments: w.m.Segments[from:to]})
	if err != nil {
		return err
	}
	merged, err := w.mergeSegments(c)
	if err = cmp.Or(err, c.Close()); err != nil {
		return err
	}
	w.m.Segments = slices.Concat(w.m.Segments[:from], merged, w.m.Segments[to:])
	return w.replace()
}

// mergeSegments writes the records of all segments of a collection as one segment.
func (w *Writer) mergeSegments(c *Collection) ([]Segment, error) {
	var s Segment
	for _, part := range c.segments {
		s.Records += part.live()
	}
	if s.Records == 0 {
		return nil, nil
	}
	f, err := w.create("texts", frameEntry)
	if err != nil {
		return nil, err
	}
	texts := newTextWriter(f, w.opt.Jobs)
	if err = texts.addSegments(c); err == nil {
		s.Texts, err = texts.finish(!w.opt.NoSync)
	}
	if err = cmp.Or(err, f.close()); err != nil {
		return nil, err
	}
	if c.Scheme().SignatureBytes > 0 {
		if s.Signatures, err = w.mergeSignatures(c); err != nil {
			return nil, err
		}
	}
	if f, err = w.create("keys", keyEntry); err != nil {
		return nil, err
	}
	keys := newKeyWriter(f, layoutOf(c.manifest.Scheme, s.Records))
	if err = keys.addSegments(c); err == nil {
		s.Keys, err = keys.finish(!w.opt.NoSync)
	}
	return []Segment{s}, cmp.Or(err, f.close())
}

// mergeSignatures writes the signatures of all segments of a collection as one file.
func (w *Writer) mergeSignatures(c *Collection) (about *File, err error) {
	f, err := w.create("signatures", 1)
	if err != nil {
		return nil, err
	}
	sigs := newSignatureWriter(f, c.manifest.Scheme)
	if err = sigs.addSegments(c); err == nil {
		about, err = sigs.finish(!w.opt.NoSync)
	}
	return about, cmp.Or(err, f.close())
}

// addSegments adds the records of a collection that are not removed. It copies frames as they are,
// unless they are small or have removed records.
func (w *textWriter) addSegments(c *Collection) error {
	var r frameReader
	for _, s := range c.segments {
		err := s.eachFrame(&r, func(number int64) error {
			if r.info.raw >= frameBytes/2 && !s.gone.hasAny(r.info.first, r.info.records) {
				if err := w.drain(); err != nil {
					return err
				}
				return w.addFrame(r.packed, r.info.records, r.info.raw)
			}
			if err := r.unpack(s.records, number); err != nil {
				return err
			}
			for i := range r.info.records {
				if s.gone.has(uint32(r.info.first + i)) {
					continue
				}
				if err := w.add(r.record(i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachFrame reads each frame of a segment with r, and calls fn with its number. It checks that the
// frames follow one another.
func (s *segment) eachFrame(r *frameReader, fn func(number int64) error) error {
	d := s.frameDirectory()
	first, at := int64(0), int64(0)
	for i := range s.Texts.Frames {
		info, err := s.frameInfo(d, i)
		if err == nil && (info.first != first || info.at != at) {
			err = fileError(s.records, "frame %d: %w", i, errDirectory)
		}
		if err == nil {
			err = r.readPacked(s.records, i, info)
		}
		if err == nil {
			err = fn(i)
		}
		if err != nil {
			return err
		}
		first, at = first+info.records, at+info.size
	}
	return nil
}

// A mergeSource is a segment whose keys are merged with those of others.
type mergeSource struct {
	*keyReader
	gone    *marks
	records int64
	start   uint32 // number of its first record in the merged segment
}

// addSegments adds the keys of the records of a collection that are not removed. It merges the keys
// of a page of each segment at a time, up to the last bucket of the page that ends first.
func (w *keyWriter) addSegments(c *Collection) error {
	var m merger
	start := int64(0)
	for _, s := range c.segments {
		m.sources = append(m.sources, &mergeSource{s.readKeys(layoutOf(c.manifest.Scheme, s.Records)), s.gone, s.Records, uint32(start)})
		start += s.live()
	}
	for {
		limit, more, err := m.limit()
		if err != nil || !more {
			return err
		}
		if limit > 0 {
			err = m.addUpTo(w, limit-1)
		}
		for i := 0; i < len(m.sources) && err == nil; i++ {
			err = m.addBucket(w, m.sources[i], limit)
		}
		if err != nil {
			return err
		}
	}
}

// A merger merges the keys of segments.
type merger struct {
	sources    []*mergeSource
	keys, room []Key
	ends       []int
}

// limit returns the first bucket that a later page than those in memory can have. It reports
// whether there are any more keys.
func (m *merger) limit() (limit uint64, some bool, err error) {
	limit = math.MaxUint64
	for _, s := range m.sources {
		more, err := s.more()
		if err != nil {
			return 0, false, err
		}
		if more {
			limit, some = min(limit, s.last.Bucket), true
		}
	}
	return limit, some, nil
}

// addUpTo adds the keys in memory whose bucket is at most limit.
func (m *merger) addUpTo(w *keyWriter, limit uint64) (err error) {
	m.keys, m.ends = m.keys[:0], m.ends[:0]
	for _, s := range m.sources {
		if m.keys, err = s.appendUpTo(m.keys, limit); err != nil {
			return err
		}
		m.ends = append(m.ends, len(m.keys))
	}
	m.keys, m.room = mergeRuns(m.keys, m.room, m.ends)
	return w.add(m.keys...)
}

// addBucket adds the keys of a bucket, which may fill many pages. No earlier keys of s may be left.
func (m *merger) addBucket(w *keyWriter, s *mergeSource, bucket uint64) error {
	for {
		more, err := s.more()
		if err != nil || !more || s.keys[s.at].Bucket > bucket {
			return err
		}
		if m.keys, err = s.appendUpTo(m.keys[:0], bucket); err == nil {
			err = w.add(m.keys...)
		}
		if err != nil {
			return err
		}
	}
}

// appendUpTo appends the keys of s in memory whose bucket is at most limit to dst, with the numbers
// of the records in the merged segment.
func (s *mergeSource) appendUpTo(dst []Key, limit uint64) ([]Key, error) {
	for ; s.at < len(s.keys) && s.keys[s.at].Bucket <= limit; s.at++ {
		k := s.keys[s.at]
		if int64(k.Record) >= s.records {
			return dst, fileError(s.file, "record %d of %d", k.Record, s.records)
		}
		if s.gone.has(k.Record) {
			continue
		}
		k.Record = s.start + k.Record - s.gone.before(k.Record)
		dst = append(dst, k)
	}
	return dst, nil
}

// mergeRuns merges neighbouring sorted runs of keys, which end at the given indexes, until there is
// one. Of equal buckets, the key of the earlier run comes first. It returns the result and memory
// for the next call.
func mergeRuns(keys, room []Key, ends []int) (merged, _ []Key) {
	room = slices.Grow(room[:0], len(keys))[:len(keys)]
	for len(ends) > 1 {
		var next []int
		from := 0
		for i := 0; i < len(ends); i += 2 {
			middle, to := ends[i], ends[min(i+1, len(ends)-1)]
			mergeTwo(room[from:to], keys[from:middle], keys[middle:to])
			next, from = append(next, to), to
		}
		keys, room, ends = room, keys, next
	}
	return keys, room
}

// mergeTwo merges two sorted runs into dst. It has no branch that depends on the keys, because the
// processor would predict it wrongly half of the time.
func mergeTwo(dst, a, b []Key) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		_, second := bits.Sub64(b[j].Bucket, a[i].Bucket, 0)
		from := [2]*Key{&a[i], &b[j]}
		dst[i+j] = *from[second]
		i, j = i+1-int(second), j+int(second)
	}
	copy(dst[i+j:], a[i:])
	copy(dst[i+j:], b[j:])
}
