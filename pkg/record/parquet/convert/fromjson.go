package convert

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"doppel/pkg/msg"
	"doppel/pkg/par"
	"doppel/pkg/record/jsonscan"
	"doppel/pkg/record/jsonstr"
	"doppel/pkg/spill"
)

// A LineWriter converts JSON lines to a Parquet file. It keeps all lines in a spill.Log
// and infers the schema from all of them before it writes the first one.
type LineWriter struct {
	w      io.Writer
	codec  compress.Codec
	jobs   int
	root   shape
	lines  int64
	kept   spill.Log // the lines
	most   int64     // GroupBytes, except in tests
	groups []stretch // the lines of each row group
}

// A stretch is a part of the lines.
type stretch struct{ start, size, lines int64 }

// NewLineWriter returns a LineWriter that writes its file to w. The columns of the file are
// compressed with the given codec. Close uses at most the given number of goroutines.
func NewLineWriter(w io.Writer, codec compress.Codec, jobs int) *LineWriter {
	return &LineWriter{w: w, codec: codec, jobs: jobs, most: GroupBytes, root: shape{kind: object}}
}

// WriteLine adds a line, which is passed without its line end. Errors contain the number of the
// record.
func (l *LineWriter) WriteLine(line []byte) (err error) {
	l.lines++
	if err := l.Learn(line); err != nil {
		return fmt.Errorf("record %d: %w", l.lines, err)
	}
	n := len(l.groups)
	if n == 0 || l.groups[n-1].size > l.most {
		next := stretch{}
		if n > 0 {
			next.start = l.groups[n-1].start + l.groups[n-1].size
		}
		l.groups, n = append(l.groups, next), n+1
	}
	g := &l.groups[n-1]
	g.size, g.lines = g.size+int64(len(line))+1, g.lines+1
	l.kept.Write(line) // the next call returns the error, too
	_, err = l.kept.Write(lineEnd)
	return err
}

var lineEnd = []byte{'\n'}

// Learn adds the columns of a line to the schema without writing the line.
func (l *LineWriter) Learn(line []byte) error {
	if err := Check(line); err != nil {
		return err
	}
	v, _ := decoder{kinds: true}.valueAt(line)
	return l.root.learn(v, nil)
}

// A decoder decodes JSON that Check accepts, and keeps numbers as they are written.
type decoder struct {
	kinds bool // strings that are values need not be decoded, because only their kind is wanted
}

// valueAt returns the value at the beginning of the data, and the rest. An integer of any size, a
// fraction, NaN and the infinities are a json.Number.
func (d decoder) valueAt(data []byte) (v any, rest []byte) {
	data = bytes.TrimLeft(data, space)
	switch c := data[0]; c {
	case '{':
		object := map[string]any{}
		for data = nextElement(data[1:]); data[0] != '}'; data = nextElement(data) {
			var key string
			key, data = stringAt(data)
			object[key], data = d.valueAt(bytes.TrimLeft(data, space)[1:])
		}
		return object, data[1:]
	case '[':
		array := []any{}
		for data = nextElement(data[1:]); data[0] != ']'; data = nextElement(data) {
			var element any
			element, data = d.valueAt(data)
			array = append(array, element)
		}
		return array, data[1:]
	case '"':
		if d.kinds {
			return "", data[jsonstr.Skip(data, 1)+1:]
		}
		return stringAt(data)
	case 't', 'f', 'n':
		return map[byte]any{'t': true, 'f': false}[c], bytes.TrimLeft(data, "truefalsn")
	}
	end := bytes.IndexAny(data, space+",]}")
	if end < 0 {
		end = len(data)
	}
	return json.Number(data[:end]), data[end:]
}

const space = " \t\r\n"

// nextElement skips white space and a comma before the next element.
func nextElement(data []byte) []byte {
	data = bytes.TrimLeft(data, space)
	if data[0] == ',' {
		data = bytes.TrimLeft(data[1:], space)
	}
	return data
}

// stringAt returns the string at the beginning of valid JSON, and the rest.
func stringAt(data []byte) (string, []byte) {
	end := jsonstr.Skip(data, 1)
	return string(jsonstr.Unescape(nil, data[1:end])), data[end+1:]
}

// GroupBytes is the size in bytes after which a new row group begins. parquet-go holds the
// compressed pages of a whole group in memory, so the size must be limited, and so must the number
// of goroutines that make groups: besides them, as many groups and two wait for being written.
const (
	GroupBytes = 64 << 20
	mostMakers = 6
)

// Close writes the Parquet file. It does not close the underlying writer.
func (l *LineWriter) Close() error {
	if len(l.root.fields) == 0 {
		return errors.New("no record has fields, and Parquet needs a schema")
	}
	if err := l.root.check(nil); err != nil {
		return err
	}
	defer l.kept.Close()
	out := pq.NewGenericWriter[any](l.w, pq.NewSchema("record", l.root.group()), pq.Compression(l.codec))
	groups := l.groups
	next := func() (g stretch, err error) {
		if len(groups) == 0 {
			return g, io.EOF
		}
		g, groups = groups[0], groups[1:]
		return g, nil
	}
	maker := func() func(stretch) madeGroup {
		rows := shredder{}
		return func(g stretch) madeGroup {
			made := out.BeginRowGroup()
			return madeGroup{made, l.makeGroup(made, g, &rows)}
		}
	}
	err := par.Ordered(min(l.jobs, mostMakers), next, maker, func(g madeGroup) error {
		if g.err == nil {
			_, g.err = g.Commit()
		}
		return g.err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// A madeGroup is a row group whose pages are encoded and compressed, or the error that prevented it.
type madeGroup struct {
	*pq.ConcurrentRowGroupWriter
	err error
}

// makeGroup writes the lines of a stretch to a row group.
func (l *LineWriter) makeGroup(made *pq.ConcurrentRowGroupWriter, g stretch, rows *shredder) error {
	r := bufio.NewReaderSize(io.NewSectionReader(&l.kept, g.start, g.size), 1<<18)
	for range g.lines {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return err
		}
		v, _ := decoder{}.valueAt(line)
		if _, err := made.WriteRows([]pq.Row{rows.shred(&l.root, v)}); err != nil {
			return err
		}
	}
	return made.Flush()
}

// Check returns an error unless the line is a JSON object whose strings Parquet can store.
func Check(line []byte) error {
	if err := jsonscan.Check(line); err != nil {
		return err
	}
	if first := bytes.TrimLeft(line, " \t"); first[0] != '{' {
		return fmt.Errorf("not a JSON object but %s, which Parquet cannot store", jsonscan.KindOf(first[0]))
	}
	if !utf8.Valid(line) {
		return msg.WithHint(errors.New("not UTF-8, which Parquet strings need"), "--encoding NAME reads other encodings, such as latin1")
	}
	if (bytes.Contains(line, []byte(`\ud`)) || bytes.Contains(line, []byte(`\uD`))) && !utf8.Valid(jsonstr.Unescape(nil, line)) {
		return errors.New("a lone surrogate, which Parquet strings cannot store")
	}
	return nil
}
