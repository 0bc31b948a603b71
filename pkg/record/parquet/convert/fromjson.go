package convert

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"doppel/pkg/spill"
)

// A LineWriter converts JSON lines to a Parquet file. It keeps all lines in a scratch file
// and infers the schema from all of them before it writes the first one.
type LineWriter struct {
	w     io.Writer
	codec compress.Codec
	root  shape
	lines int64
	file  *os.File
	buf   *bufio.Writer
}

// NewLineWriter returns a LineWriter that writes its file to w. The columns of the file are
// compressed with the given codec.
func NewLineWriter(w io.Writer, codec compress.Codec) *LineWriter {
	return &LineWriter{w: w, codec: codec, root: shape{kind: object}}
}

// WriteLine adds a line, which is passed without its line end. Errors contain the number of the
// record.
func (l *LineWriter) WriteLine(line []byte) (err error) {
	if l.file == nil {
		if l.file, err = spill.Create(); err != nil {
			return err
		}
		l.buf = bufio.NewWriterSize(l.file, 1<<18)
	}
	l.lines++
	if err := l.Learn(line); err != nil {
		return fmt.Errorf("record %d: %w", l.lines, err)
	}
	l.buf.Write(line)
	return l.buf.WriteByte('\n')
}

// Learn adds the columns of a line to the schema without writing the line.
func (l *LineWriter) Learn(line []byte) error {
	v, err := decode(line)
	if err != nil {
		return err
	}
	return l.root.learn(v, nil)
}

// decode parses a line, which must be an object, and keeps numbers as they are written.
func decode(line []byte) (any, error) {
	if !utf8.Valid(line) {
		return nil, errNotUTF8
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v map[string]any
	err := d.Decode(&v)
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &other):
		return nil, fmt.Errorf("not a JSON object but %s", strings.Replace("a "+other.Value, "a array", "an array", 1))
	case err != nil:
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	return v, nil
}

// errNotUTF8 is the error for a line that is not UTF-8. Parquet strings must be UTF-8, so they
// cannot store such a line unchanged.
var errNotUTF8 = errors.New("not UTF-8, which Parquet strings need")

// GroupBytes is the size in bytes after which a new row group begins. parquet-go holds a whole
// group in memory, so the size must be limited.
const GroupBytes = 64 << 20

// Close writes the Parquet file. It does not close the underlying writer.
func (l *LineWriter) Close() error {
	if len(l.root.fields) == 0 {
		return errors.New("no record has fields, and Parquet needs a schema")
	}
	if err := l.root.check(nil); err != nil {
		return err
	}
	if l.lines > 0 {
		defer l.file.Close()
		if err := l.buf.Flush(); err != nil {
			return err
		}
		if _, err := l.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	out := pq.NewGenericWriter[any](l.w, pq.NewSchema("record", l.root.group()), pq.Compression(l.codec))
	r, size, rows := bufio.NewReaderSize(l.file, 1<<18), 0, shredder{}
	for range l.lines {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return err
		}
		v, err := decode(line)
		if err != nil {
			return err
		}
		if _, err := out.WriteRows([]pq.Row{rows.shred(&l.root, v)}); err != nil {
			return err
		}
		if size += len(line); size > GroupBytes {
			size = 0
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return out.Close()
}
