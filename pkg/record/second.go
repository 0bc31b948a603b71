package record

import "doppel/pkg/record/ordinals"

// A second is the second pass over files of a format, which copies what is kept.
type second struct {
	portion portion
	kept    *ordinals.Set
	records int64
}

// sometimes is how many records stand between two looks at how far the copy is.
const sometimes = 1 << 12

// keep is what the copy asks of each record.
func (s *second) keep(ordinal int64) bool {
	if ordinal%sometimes == 0 && s.records > 0 {
		s.portion.reach(float64(ordinal) / float64(s.records))
	}
	return s.kept.Has(ordinal)
}

// expectSecond has the meter wait for the second pass, if there will be one.
func (s *Sink) expectSecond() {
	m := s.rd.in.Meter
	if s.rd.format == nil || m == nil {
		return
	}
	_, before, _ := m.Far()
	in := s.rd.in
	if in.Names = s.rd.named; m.Expect(&in) {
		_, after, _ := m.Far()
		s.second.portion = portion{meter: m, size: after - before}
	}
}

// copy makes the second pass.
func (s *Sink) copy(f *Format) (err error) {
	s.second.kept, s.second.records = &s.kept, s.rd.ordinal
	what := Selection{Keep: s.second.keep, Cuts: s.cuts}
	if s.kind == "parquet" {
		err = f.Copy(s.w, s.rd.kept, s.form.Packing, what)
	} else {
		err = f.Lines(s.w, s.rd.kept, what)
	}
	s.second.portion.reach(1)
	return err
}
