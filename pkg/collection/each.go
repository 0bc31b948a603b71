package collection

import (
	"fmt"
)

// Each calls fn with the id and the text of each record that is not removed, in order. They are
// valid until fn returns. If the collection stores signatures, they take the place of the texts.
func (c *Collection) Each(fn func(id, text []byte) error) error {
	var r frameReader
	for _, s := range c.segments {
		err := s.eachFrame(&r, func(number int64) error {
			return s.eachRecord(&r, number, func(_ uint32, id, text []byte) error { return fn(id, text) })
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

// Remove marks the records whose id has returns true for as removed, and returns their number. It
// calls has once for each record that is not removed yet, in order. The marks appear all or none. A
// Writer that removes records must not add any.
func (w *Writer) Remove(has func(id []byte) bool) (removed int64, err error) {
	for i, s := range w.before.segments {
		m := s.gone.clone(s.Records)
		var r frameReader
		n := int64(0)
		err := s.eachFrame(&r, func(number int64) error {
			return s.eachRecord(&r, number, func(record uint32, id, _ []byte) error {
				if has(id) && m.add(record) {
					n++
				}
				return nil
			})
		})
		if err != nil {
			return 0, err
		}
		if n == 0 {
			continue
		}
		if err := w.step("write marks"); err != nil {
			return 0, err
		}
		name := fmt.Sprintf("%d.gone", w.m.Next)
		w.m.Next++
		w.made = append(w.made, name)
		about := &w.m.Segments[i]
		if about.Gone, err = writeMarks(w.dir, name, m, w.mode, !w.opt.NoSync); err != nil {
			return 0, err
		}
		about.Removed += n
		removed += n
	}
	if removed == 0 {
		return 0, nil
	}
	return removed, w.replace()
}
