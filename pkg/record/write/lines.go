package write

import (
	"io"
	"slices"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// lines writes kept lines, or rows of a table, unchanged. If there are sizes, it adds a field to each.
// It joins lines that are adjacent in memory, so that Flush writes them with one call.
type lines struct {
	outputs
	sizer  *sizer
	table  bool   // the lines are rows of a table
	headed bool   // the header of the table has been written
	run    []byte // gathered lines, adjacent in memory, without the last line end
	begun  bool   // at least one line is gathered; it may be empty
	cut    []byte // scratch for a line without its cut parts
}

func (s *Sink) newLines(kind dataform.Kind) *lines {
	l := &lines{outputs: outputs{rd: s.rd, w: s.w, next: s.next}, sizer: s.sizer, table: kind.Table}
	l.begin = func(io.Writer) error {
		l.headed = false
		return nil
	}
	l.finish = func() error {
		if err := l.writeHeader(); err != nil {
			return err
		}
		return l.Flush()
	}
	return l
}

func (l *lines) Gather(rec *record.Record, size int64) error {
	err := l.open(rec.Ordinal)
	if err == nil {
		err = l.writeHeader()
	}
	if err != nil {
		return err
	}
	if l.sizer == nil {
		return l.gather(rec.Raw)
	}
	for range l.sizer.times(size) {
		line, err := l.sized(rec.Raw, size)
		if err != nil {
			return rec.At(err)
		}
		if err := l.gather(line); err != nil {
			return err
		}
		if err := l.Flush(); err != nil { // the next record reuses the memory of this line
			return err
		}
	}
	return nil
}

// sized returns a line with the size field, if there is one.
func (l *lines) sized(line []byte, size int64) ([]byte, error) {
	switch {
	case !l.sizer.addsField():
		return line, nil
	case l.table:
		return l.sizer.extendRow(l.rd.Table(), line, size)
	}
	return l.sizer.extendObject(line, size)
}

// gather adds a line to the run if it follows it in memory. Otherwise it writes the run first.
func (l *lines) gather(line []byte) error {
	if n := len(l.run) + len(lineEnd); len(l.run) > 0 && len(line) > 0 && n+len(line) <= cap(l.run) {
		if longer := l.run[:n+len(line)]; longer[n-1] == lineEnd[0] && &longer[n] == &line[0] {
			l.run = longer
			return nil
		}
	}
	err := l.Flush()
	l.run, l.begun = line, true
	return err
}

func (l *lines) Check(rec *record.Record) error {
	if _, err := l.sized(rec.Raw, 1); err != nil {
		return rec.At(err)
	}
	return nil
}

func (l *lines) Cut(c *Cutter, rec *record.Record, parts []Range) (err error) {
	if l.cut, err = c.Cut(l.cut[:0], rec, parts); err != nil {
		return rec.At(err)
	}
	rec.Raw = l.cut
	if err := l.Gather(rec, 1); err != nil {
		return err
	}
	return l.Flush()
}

// writeHeader writes the header of a table, unless it has been written.
func (l *lines) writeHeader() (err error) {
	if l.headed || !l.table {
		return nil
	}
	t := l.rd.Table()
	line := t.Header()
	if l.next != nil {
		in, _ := l.rd.Opened(l.opened - 1)
		line = in.Header
	}
	if line == nil {
		return nil
	}
	l.headed = true
	if l.sizer.addsField() && !slices.Contains(t.Names(), l.sizer.Field) {
		if line, err = t.AppendWith(nil, line, l.sizer.Field, l.sizer.Field); err != nil {
			return err
		}
	}
	_, err = l.w.Write(append(slices.Clip(line), '\n'))
	return err
}

// Flush writes the gathered lines.
func (l *lines) Flush() error {
	if !l.begun {
		return nil
	}
	_, err := l.w.Write(l.run)
	if err == nil {
		_, err = l.w.Write(lineEnd)
	}
	l.run, l.begun = nil, false
	return err
}

var lineEnd = []byte{'\n'}
