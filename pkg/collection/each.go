package collection

import (
	"bytes"
	"cmp"
)

// Each calls fn with the id and the text of each record that is not removed, in order. They are
// valid until fn returns.
func (c *Collection) Each(fn func(id, text []byte) error) error {
	return c.EachFrom(0, func(_ int64, id, text []byte) error { return fn(id, text) })
}

// EachFrom is like Each, but leaves out the first n records that are not removed, and also passes
// the number of each record. It does not decompress frames that it leaves out.
func (c *Collection) EachFrom(n int64, fn func(number int64, id, text []byte) error) error {
	var r frameReader
	var shown []byte
	for i, s := range c.segments {
		err := s.eachFrame(&r, func(number int64) error {
			if live := r.info.records - s.gone.countIn(r.info.first, r.info.records); live <= n {
				n -= live
				return nil
			}
			return s.eachRecord(&r, number, func(record uint32, id, text []byte) error {
				if n > 0 {
					n--
					return nil
				}
				shown, _ = appendID(shown[:0], id)
				return fn(c.starts[i]+int64(record), shown, text)
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachRecord calls fn with each record of the frame in r that is not removed, and with its number
// in the segment.
func (s *segment) eachRecord(r *frameReader, number int64, fn func(record uint32, id, text []byte) error) error {
	if err := r.unpack(s.records, number); err != nil {
		return err
	}
	for i := range r.info.records {
		record := uint32(r.info.first + i)
		if s.gone.has(record) {
			continue
		}
		id, text := r.record(i)
		if err := fn(record, id, text); err != nil {
			return err
		}
	}
	return nil
}

// appendID appends an id as it is shown, with a colon after the name of the file. It also returns
// the id alone; nil if the file numbers its records.
func appendID(dst, stored []byte) (shown, own []byte) {
	at := bytes.IndexByte(stored, 0)
	dst = append(dst, stored...)
	if at < 0 {
		return dst, nil
	}
	own = dst[len(dst)-len(stored)+at+1:]
	dst[len(dst)-len(own)-1] = ':'
	return dst, own
}

// Remove marks the records whose id has returns true for as removed, and returns their number. It
// calls has once for each record that was in the collection before and is not removed yet, in
// order, with its id and, if there is one, the id without the name of the file. Commit makes the
// marks part of the collection.
func (w *Writer) Remove(has func(id, own []byte) bool) (removed int64, err error) {
	for len(w.gone) < len(w.before.segments) {
		w.gone = append(w.gone, nil)
	}
	for i, s := range w.before.segments {
		var r frameReader
		var shown, own []byte
		err := s.eachFrame(&r, func(number int64) error {
			return s.eachRecord(&r, number, func(record uint32, id, _ []byte) error {
				shown, own = appendID(shown[:0], id)
				if w.gone[i].has(record) || !has(shown, own) {
					return nil
				}
				if w.gone[i] == nil {
					w.gone[i] = s.gone.clone(s.Records)
				}
				w.gone[i].add(record)
				removed++
				return nil
			})
		})
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// writeMarks writes the marks of the segments in which Remove has marked records.
func (w *Writer) writeMarks() error {
	for i, m := range w.gone {
		if m == nil {
			continue
		}
		f, err := w.create("gone", 1)
		if err != nil {
			return err
		}
		w.m.Next++
		_, err = f.Write(m.encode())
		var about File
		if err == nil {
			about, err = f.finish(0, !w.opt.NoSync)
		}
		if err = cmp.Or(err, f.close()); err != nil {
			return err
		}
		w.m.Segments[i].Gone, w.m.Segments[i].Removed = &about, m.count()
	}
	return nil
}
