package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"doppel/pkg/record/bitset"
	"doppel/pkg/record/dataform"
)

// A Sink writes the kept records in the output format. It writes lines unchanged, unless it
// converts, cuts or extends them. Close copies Parquet rows in a second pass over the files,
// when all kept rows are known.
type Sink struct {
	rd    *Reader
	w     io.Writer
	form  dataform.Form
	kind  string // format written; "" until the first input is known
	run   []byte // gathered lines, adjacent in memory, without the last line end
	open  bool   // at least one line is gathered; it may be empty
	kept  bitset.Set
	cuts  *Cuts        // parts to cut from the records that Close copies
	array *arrayWriter // converts lines to a JSON array; nil for other output
	rows  LineWriter   // converts lines to Parquet; nil for other output
	buf   []byte
	cut   []byte // scratch for a line without its cut parts

	sizer *sizer // nil if no sizes are written

	second secondPass // the pass that copies the kept records

	next   func(input string) (io.WriteCloser, error) // opens the output for an input; if nil, all records go to w
	opened int                                        // number of outputs opened so far; they are opened in input order
	output io.WriteCloser                             // the output that is open, or nil

	wrote  bool             // the open output has a row; only for Parquet that is converted from lines
	fields map[int]*learner // by input, the fields of its records, for Parquet output without rows
	input  int              // the input of the latest batch that learn has seen

	headed bool   // the header of a table has been written
	like   []byte // the argument of Like, or nil
}

// Like adds the members of a JSON object as columns to Parquet output that is converted from lines,
// even if no record has these members. The caller must call Like before the first record.
func (s *Sink) Like(object []byte) { s.like = object }

// NewSink returns a sink that writes records of rd to w. If the records cannot be written in the
// given form, the first call of rd.Next returns an error.
func NewSink(rd *Reader, w io.Writer, form dataform.Form) *Sink {
	s := &Sink{rd: rd, w: w, form: form, sizer: newSizer(rd.opt.Sizes)}
	rd.sink, rd.paths.copied = s, true
	return s
}

// NewSinks returns a sink that writes the records of each input to a separate output. The function
// next opens the output for the input with the given display name. The sink opens the outputs in
// input order and has only one open at a time.
func NewSinks(rd *Reader, form dataform.Form, next func(input string) (io.WriteCloser, error)) *Sink {
	s := NewSink(rd, nil, form)
	s.next = next
	return s
}

// chooseKind chooses the output format from s.form and the format of the inputs.
func (s *Sink) chooseKind() (err error) {
	if s == nil {
		return nil
	}
	in := s.rd.in
	if m := in.Meter; s.rd.format != nil && m != nil { // add the second pass to the total
		_, before, _ := m.Far()
		if in.Names = s.rd.named; m.Expect(&in) {
			_, after, _ := m.Far()
			s.second.portion = passMeter{meter: m, size: after - before}
		}
	}
	if s.kind, err = s.form.Made(s.rd.Kind()); err != nil {
		return err
	}
	switch lines := s.rd.Kind() == "jsonl"; {
	case s.form.Array && s.rd.opt.Lines:
		return errors.New("--to json: the lines of --lines are not JSON")
	case s.form.Array && lines:
		s.rd.paths.into = "array"
	case s.kind == "parquet" && lines:
		s.rd.paths.into = "parquet"
	}
	if s.kind == s.rd.Kind() && !s.form.Array {
		return nil
	}
	if s.kind == "parquet" && byMagic(parquetMagic) == nil {
		return errors.New("this program cannot write Parquet")
	}
	if s.next == nil {
		err = s.beginOutput()
	}
	return err
}

var parquetMagic = []byte("PAR1")

// beginOutput prepares w for its first record.
func (s *Sink) beginOutput() error {
	s.rows, s.wrote, s.headed, s.array = nil, false, false, nil
	if s.form.Array && s.rd.format == nil {
		s.array = &arrayWriter{w: s.w}
		s.w = s.array
		return nil
	}
	if s.kind != "parquet" || s.rd.format != nil {
		return nil
	}
	if s.rows = byMagic(parquetMagic).Writer(s.w, s.form.Packing); s.like == nil {
		return nil
	}
	return s.rows.Learn(s.like)
}

// finishOutput writes the rest of the output to w.
func (s *Sink) finishOutput() error {
	switch {
	case s.rows != nil:
		return s.finishRows()
	case s.array != nil:
		if err := s.Flush(); err != nil {
			return err
		}
		return s.array.finish()
	case s.rd.table != nil && s.kind == s.rd.Kind():
		if err := s.writeHeader(); err != nil {
			return err
		}
	}
	return s.Flush()
}

// openOutputs opens the outputs of all inputs up to the record's input, closing each output before
// it opens the next.
func (s *Sink) openOutputs(ordinal int64) error {
	for {
		in, ok := s.rd.input(s.opened)
		if !ok || in.first > ordinal {
			return nil
		}
		err := s.closeOutput()
		if err == nil {
			s.output, err = s.next(in.name)
		}
		if err != nil {
			return err
		}
		s.opened, s.w = s.opened+1, s.output
		if err := s.beginOutput(); err != nil {
			return err
		}
	}
}

// closeOutput finishes and closes the open output, if any.
func (s *Sink) closeOutput() error {
	if s.output == nil {
		return nil
	}
	err := s.finishOutput()
	if cerr := s.output.Close(); err == nil {
		err = cerr
	}
	s.output = nil
	return err
}

// Keep writes a record. The caller must pass the kept records in reading order.
func (s *Sink) Keep(rec *Record) error {
	if err := s.Gather(rec); err != nil {
		return err
	}
	return s.Flush()
}

// KeepSized is like Keep, but also receives the number of records in the cluster of the kept
// record. If the size field cannot be added to the record, KeepSized returns a [SyntaxError].
func (s *Sink) KeepSized(rec *Record, size int64) error {
	switch {
	case s.sizer == nil:
		return s.Keep(rec)
	case s.rd.format != nil:
		s.sizer.addSize(rec.Ordinal, size)
		return s.Keep(rec)
	}
	for range s.sizer.times(size) {
		if err := s.gather(rec, size); err != nil {
			return err
		}
		if err := s.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// CheckSized returns the [SyntaxError] that KeepSized would return, but writes nothing.
func (s *Sink) CheckSized(rec *Record) (err error) {
	switch {
	case s.rd.format != nil || !s.sizer.addsField():
		return nil
	case s.rd.table != nil:
		_, err = s.sizer.extendRow(s.rd.table, rec.Raw, nil)
	default:
		_, err = s.sizer.extendObject(rec.Raw, 1)
	}
	if err != nil {
		err = rec.At(err)
	}
	return err
}

// KeepCut writes a record without the given parts of its text. The parts must be in ascending order
// and must not overlap. If the record cannot be cut, KeepCut returns a [SyntaxError].
func (s *Sink) KeepCut(c *Cutter, rec *Record, parts []Range) (err error) {
	if s.rd.format != nil {
		err := checkParts(rec, parts) // the parts are removed when the record is copied
		if len(s.rd.opt.Fields) != 1 {
			err = errors.New("parts can be cut only from a field, not from a whole row")
		}
		if err != nil {
			return rec.At(err)
		}
		if s.cuts == nil {
			s.cuts = &Cuts{Field: s.rd.opt.Fields[0]}
		}
		s.kept.Add(rec.Ordinal)
		return s.cuts.add(rec.Ordinal, parts)
	}
	if s.cut, err = c.Cut(s.cut[:0], rec, parts); err != nil {
		return rec.At(err)
	}
	rec.Raw = s.cut
	return s.Keep(rec)
}

// Gather is like Keep, but the record must stay unchanged in memory until Flush. It joins lines
// that are adjacent in memory, so that Flush writes them with one call.
func (s *Sink) Gather(rec *Record) (err error) { return s.gather(rec, 1) }

func (s *Sink) gather(rec *Record, size int64) (err error) {
	if s.rd.format != nil {
		s.kept.Add(rec.Ordinal)
		return nil
	}
	if s.next != nil {
		if err := s.openOutputs(rec.Ordinal); err != nil {
			return err
		}
	}
	line, table := rec.Raw, s.rd.table
	asObject := table != nil && s.kind != s.rd.Kind()
	switch {
	case asObject:
		if s.buf, err = table.appendObject(s.buf[:0], line); err != nil {
			return fmt.Errorf("record %d: %w", rec.Ordinal, err)
		}
		line = s.buf
	case table != nil:
		if err = s.writeHeader(); err != nil {
			return err
		}
	}
	switch {
	case !s.sizer.addsField():
	case asObject || table == nil:
		line, err = s.sizer.extendObject(line, size)
	default:
		line, err = s.sizer.extendRow(table, line, strconv.AppendInt(nil, size, 10))
	}
	switch {
	case err != nil:
		return rec.At(err)
	case s.rows != nil:
		s.wrote = true
		return s.rows.WriteLine(line)
	}
	// Extend the run if the line follows it in memory.
	if n := len(s.run) + len(lineEnd); len(s.run) > 0 && len(line) > 0 && n+len(line) <= cap(s.run) {
		if longer := s.run[:n+len(line)]; longer[n-1] == lineEnd[0] && &longer[n] == &line[0] {
			s.run = longer
			return nil
		}
	}
	err = s.Flush()
	if s.run, s.open = line, true; err == nil && (asObject || s.sizer.addsField()) {
		err = s.Flush() // the next record reuses the memory of this line
	}
	return err
}

// writeHeader writes the header of a table, unless it has been written.
func (s *Sink) writeHeader() (err error) {
	t := s.rd.table
	line := t.header
	if s.next != nil {
		in, _ := s.rd.input(s.opened - 1)
		line = in.header
	}
	if s.headed || line == nil {
		return nil
	}
	s.headed = true
	if s.sizer.addsField() && !slices.Contains(t.names, s.sizer.Field) {
		if line, err = s.sizer.extendRow(t, line, t.quotedField(s.sizer.Field)); err != nil {
			return err
		}
	}
	_, err = s.w.Write(append(slices.Clip(line), '\n'))
	return err
}

// Flush writes the gathered lines.
func (s *Sink) Flush() error {
	if !s.open {
		return nil
	}
	_, err := s.w.Write(s.run)
	if err == nil {
		_, err = s.w.Write(lineEnd)
	}
	s.run, s.open = nil, false
	return err
}

var lineEnd = []byte{'\n'}

// Lines reports whether the records read so far are lines (JSON or plain) and are not converted to
// Parquet.
func (s *Sink) Lines() bool { return s.rd.Kind() == "jsonl" && s.kind != "parquet" }

// FromLines reports whether the records read so far were JSON lines or plain lines.
func (s *Sink) FromLines() bool { return s.rd.Kind() == "jsonl" }

// Close writes the rest of the output. The caller must call it after the last record.
func (s *Sink) Close() (err error) {
	if s.cuts != nil {
		defer s.cuts.parts.Close() // reading the parts has already reported any error
	}
	switch {
	case s.rd.format == nil && s.next == nil:
		return s.finishOutput()
	case s.rd.format == nil:
		return cmp.Or(s.openOutputs(s.rd.ordinal), s.closeOutput())
	}
	s.second.kept, s.second.records = &s.kept, s.rd.ordinal
	if s.next == nil {
		err = s.copySelected(s.w, s.rd.kept, Selection{Parts: s.rd.addedParts(), Keep: s.second.copies, Cuts: s.cuts, Sized: s.sizer.sizesFrom(0)})
	} else {
		err = s.copyEach()
	}
	s.second.portion.setShare(1)
	return err
}

// addedParts returns the fields of directories that the only output has, for each input.
func (r *Reader) addedParts() [][]Partition {
	if !r.joins {
		return nil
	}
	return r.keptParts
}

// copySelected writes the selected records of files that are in the reader's format.
func (s *Sink) copySelected(w io.Writer, files []*os.File, what Selection) error {
	if slices.Contains(files, nil) {
		files, what.Parts = withoutEmpty(files, what.Parts)
	}
	if s.kind == "parquet" {
		return s.rd.format.Copy(w, files, s.form.Packing, what)
	}
	if !s.form.Array {
		return s.rd.format.Lines(w, files, what)
	}
	array := &arrayWriter{w: w}
	if err := s.rd.format.Lines(array, files, what); err != nil {
		return err
	}
	return array.finish()
}

// withoutEmpty returns only those files that are not of 0 bytes, and their fields of directories.
func withoutEmpty(files []*os.File, parts [][]Partition) (some []*os.File, theirs [][]Partition) {
	for i, f := range files {
		if f == nil {
			continue
		}
		if some = append(some, f); parts != nil {
			theirs = append(theirs, parts[i])
		}
	}
	return some, theirs
}

// copyEach writes the kept records of each input file to a separate output.
func (s *Sink) copyEach() error {
	cuts := s.cuts.eachInput()
	for i, f := range s.rd.kept {
		in, _ := s.rd.input(i)
		after, more := s.rd.input(i + 1)
		if !more {
			after.first = s.rd.ordinal
		}
		w, err := s.next(in.name)
		if err != nil {
			return err
		}
		keep := func(ordinal int64) bool { return s.second.copies(in.first + ordinal) }
		if what := (Selection{Keep: keep, Cuts: cuts(in.first, after.first), Sized: s.sizer.sizesFrom(in.first)}); f != nil {
			err = s.copySelected(w, []*os.File{f}, what)
		}
		if cerr := w.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Foresee opens and closes every input to find faults before the run. It returns an error for
// inputs of different kinds, for records that cannot be written in this form, and for Parquet files
// with different schemas if there is only one output. kind is the format of the inputs, as in
// dataform.Form.Kind. Foresee reads at most the first batch of each input.
func Foresee(in Input, opt Options, form dataform.Form, oneOutput bool) (kind string, err error) {
	opt.Expect = 0
	rd, err := NewReader(in, opt)
	if err != nil {
		return "", err
	}
	sink := NewSink(rd, io.Discard, form)
	defer func() {
		for _, f := range rd.kept {
			f.Close() // does nothing if f is nil
		}
	}()
	for {
		if err := rd.open(); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
		err := sink.foreseeSizes()
		if cerr := rd.source.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return "", err
		}
	}
	if rd.format != nil && sink.kind == "parquet" && oneOutput {
		files, _ := withoutEmpty(rd.kept, nil)
		err = rd.format.Alike(files)
	}
	return rd.Kind(), err
}

// foreseeSizes returns an error if the size field cannot be added to the first record of the open
// input, for example because the record already has that field. Other faults are reported during
// the run.
func (s *Sink) foreseeSizes() error {
	var b Batch
	switch {
	case !s.sizer.addsField() || s.rd.format != nil:
	case s.rd.source.Next(&b) != nil || len(b.Records) == 0 || s.rd.table != nil:
		if t := s.rd.table; t != nil {
			if err := s.sizer.CheckNew(t.names); err != nil {
				return fmt.Errorf("%s: %w", s.rd.name, err)
			}
		}
	default:
		return s.CheckSized(&Record{Name: s.rd.name, Line: 1, Raw: b.Records[0].Raw})
	}
	return nil
}

// A secondPass selects the records to copy in the second pass over the input files, and reports the
// progress of that pass.
type secondPass struct {
	portion passMeter
	kept    *bitset.Set
	records int64
}

// progressInterval is the number of records between progress updates of the copy.
const progressInterval = 1 << 12

// copies reports whether the copy includes a record, and updates the progress.
func (s *secondPass) copies(ordinal int64) bool {
	if ordinal%progressInterval == 0 && s.records > 0 {
		s.portion.setShare(float64(ordinal) / float64(s.records))
	}
	return s.kept.Has(ordinal)
}
