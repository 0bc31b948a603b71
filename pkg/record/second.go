package record

// A second is the second pass over files of a format, which copies what is kept.
type second struct {
	portion portion
	kept    *Bitmap
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
	if m.Expect(&Input{Names: s.rd.named, Stdin: s.rd.in.Stdin, Copies: s.rd.in.Copies}) {
		_, after, _ := m.Far()
		s.second.portion = portion{meter: m, size: after - before}
	}
}

// copy makes the second pass.
func (s *Sink) copy(f *Format) (err error) {
	s.second.kept, s.second.records = &s.kept, s.rd.ordinal
	if s.kind == "parquet" {
		err = f.Copy(s.w, s.rd.kept, s.form.Packing, s.second.keep)
	} else {
		err = f.Lines(s.w, s.rd.kept, s.second.keep)
	}
	s.second.portion.reach(1)
	return err
}
