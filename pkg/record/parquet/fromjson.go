package parquet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/spill"
)

// A lineWriter makes a Parquet file of JSON lines. It learns the schema from
// all of them, which wait in a scratch file, before it writes the first.
type lineWriter struct {
	w     io.Writer
	root  shape
	lines int64
	file  *os.File
	buf   *bufio.Writer
}

func newLineWriter(w io.Writer) record.LineWriter {
	return &lineWriter{w: w, root: shape{kind: object}}
}

func (l *lineWriter) WriteLine(line []byte) (err error) {
	if l.file == nil {
		if l.file, err = spill.Create(); err != nil {
			return err
		}
		l.buf = bufio.NewWriterSize(l.file, 1<<18)
	}
	l.lines++
	v, err := decode(line)
	if err == nil {
		err = l.root.learn(v, nil)
	}
	if err != nil {
		return fmt.Errorf("record %d: %w", l.lines, err)
	}
	l.buf.Write(line)
	return l.buf.WriteByte('\n')
}

// decode parses an object, with numbers as they are written.
func decode(line []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("no JSON object: %w", err)
	}
	return v, nil
}

// Close writes the file.
func (l *lineWriter) Close() error {
	if l.lines == 0 || len(l.root.fields) == 0 {
		return errors.New("no records with fields: Parquet needs a schema")
	}
	if err := l.root.check(nil); err != nil {
		return err
	}
	if err := l.buf.Flush(); err != nil {
		return err
	}
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	defer l.file.Close()
	out := pq.NewGenericWriter[any](l.w, pq.NewSchema("record", l.root.group()), pq.Compression(&pq.Zstd))
	if err := l.copy(out, bufio.NewReaderSize(l.file, 1<<18)); err != nil {
		return err
	}
	return out.Close()
}

func (l *lineWriter) copy(out *pq.GenericWriter[any], r *bufio.Reader) error {
	size := 0
	for range l.lines {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return err
		}
		v, err := decode(line)
		if err != nil {
			return err
		}
		if _, err := out.WriteRows([]pq.Row{l.root.row(v)}); err != nil {
			return err
		}
		if size += len(line); size > groupBytes {
			size = 0
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// row takes a value apart into the values of all columns.
func (s *shape) row(v any) pq.Row {
	var column int
	var row pq.Row
	s.shred(v, 0, 0, 0, &column, &row)
	return row
}

// shred appends the values of all leaves below the shape, with the levels of
// the Dremel paper: at which repeated field a value repeats, and how many of
// the optional and repeated fields on its way are there. Column is the next
// leaf.
func (s *shape) shred(v any, rep, depth, def int, column *int, row *pq.Row) {
	switch s.kind {
	case object:
		fields, _ := v.(map[string]any)
		for _, name := range s.names() {
			s.fields[name].field(fields[name], rep, depth, def, column, row)
		}
	case list:
		s.shredList(v.([]any), rep, depth, def, column, row)
	default:
		*row = append(*row, s.leaf(v).Level(rep, def, *column))
		*column++
	}
}

// field shreds a value that may be null.
func (s *shape) field(v any, rep, depth, def int, column *int, row *pq.Row) {
	if v == nil {
		s.nulls(rep, def, column, row)
		return
	}
	s.shred(v, rep, depth, def+1, column, row)
}

func (s *shape) shredList(elems []any, rep, depth, def int, column *int, row *pq.Row) {
	if len(elems) == 0 {
		s.elem.nulls(rep, def, column, row)
		return
	}
	first := *column
	for i, e := range elems {
		if *column = first; i > 0 {
			rep = depth + 1
		}
		s.elem.field(e, rep, depth+1, def+1, column, row)
	}
}

// nulls appends a null for each leaf below the shape.
func (s *shape) nulls(rep, def int, column *int, row *pq.Row) {
	switch s.kind {
	case object:
		for _, name := range s.names() {
			s.fields[name].nulls(rep, def, column, row)
		}
	case list:
		s.elem.nulls(rep, def, column, row)
	default:
		*row = append(*row, pq.NullValue().Level(rep, def, *column))
		*column++
	}
}

func (s *shape) leaf(v any) pq.Value {
	switch v := v.(type) {
	case bool:
		return pq.BooleanValue(v)
	case string:
		return pq.ByteArrayValue([]byte(v))
	case json.Number:
		if s.kind == integer {
			n, _ := v.Int64() // it was one when it was learned
			return pq.Int64Value(n)
		}
		f, _ := v.Float64() // the decoder has checked it; too large is infinite
		return pq.DoubleValue(f)
	}
	return pq.NullValue()
}
