package record

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"doppel/pkg/files/filename"
	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
	"doppel/pkg/spill"
)

// sourceOf returns the source for a stream. The stream has plain lines or file names if the options
// say so. Otherwise it is Parquet if it begins with the magic bytes of Parquet, CSV if the options
// or the suffix of the file say so, and JSON lines in all other cases.
func (r *Reader) sourceOf(s *Stream) (Source, error) {
	if !r.paths.lines {
		if s.empty() && (r.opened > 0 || len(r.in.Names) > 0) {
			r.kept, r.keptParts = append(r.kept, nil), append(r.keptParts, nil)
			return emptySource{s}, nil
		}
		format, err := s.format()
		if err == nil {
			err = r.settleKind(format, format == nil && (r.opt.CSV || dataform.KindOf(s.Name).Table), s.Name)
		}
		if err != nil {
			return nil, err
		}
		if format != nil {
			return r.openFormat(s)
		}
	} else if err := r.settleUse(); err != nil {
		return nil, err
	} else if r.opt.Sealed && s.empty() && dataform.PackingOf(s.Name) != "" { // a list, whose loss could drop or keep all records
		return nil, fmt.Errorf("%s: %w", s.Name, readError(io.ErrUnexpectedEOF, s.Name))
	}
	s.checkSize()
	if r.table != nil {
		s.readAhead()
	}
	if r.in.Meter != nil && !r.opt.Names {
		s.r = meterReader{s.r, r.in.Meter}
	}
	if err := s.decompress(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if name := r.opt.Encoding; name != "" {
		if r.opt.Mixed && r.table == nil && !r.paths.lines && s.beginsUTF8() {
			name = "utf-8"
		}
		s.decodeText(name)
	}
	if r.opt.Sealed {
		s.unseal(r.opt.Null, r.in.Sealed)
	}
	end := byte('\n')
	if r.opt.Null {
		end = 0
	}
	switch {
	case r.opt.Names:
		return newNameSource(filename.NewReader(s, end), s, r), nil
	case r.table != nil:
		if r.table.kind.Name == "" {
			br := bufio.NewReaderSize(s.r, 1<<16)
			s.r = br
			peek, _ := br.Peek(1 << 12)
			first, _, _ := bytes.Cut(peek, lineEnd)
			r.table.choose(&r.opt.Dialect, dataform.KindOf(s.Name), first)
			if err := r.settleUse(); err != nil {
				return nil, err
			}
		}
		return &csvSource{Stream: s, r: r, scan: rowScanner{rowFormat: r.table.rowFormat}}, nil
	}
	return &lineSource{Stream: s, r: r, paths: r.paths, input: len(r.inputs) - 1, end: end, block: r.block}, nil
}

// An emptySource is a file of 0 bytes, which has no records in any format. Such files are left behind
// by writers of Parquet that had no rows.
type emptySource struct{ *Stream }

func (emptySource) Next(*Batch) error { return io.EOF }

// empty reports whether the stream is a file of 0 bytes.
func (s *Stream) empty() bool {
	f, ok := s.r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// settleKind sets the kind of all inputs when the first one is opened. It rejects a later input of
// another kind, because no output could hold both.
func (r *Reader) settleKind(f *Format, isTable bool, name string) error {
	was := r.Kind()
	if r.opened == 0 && isTable {
		r.table = &Table{}
	}
	if flag := r.opt.tableFlag(); flag != "" && !isTable {
		return msg.WithHint(fmt.Errorf("%s applies only to CSV and TSV, and %s is %s", flag, name, titleOf(f)), "--csv reads a text file with any name as a table")
	}
	if r.opt.Encoding != "" && f != nil && !r.opt.Mixed {
		return fmt.Errorf("--encoding applies only to text, and %s is Parquet", name)
	}
	if r.opt.CSV && f != nil {
		return msg.WithHint(fmt.Errorf("%s: the file is Parquet, not CSV", name), "--csv applies only to text inputs")
	}
	if r.opened > 0 && (f != r.format || isTable != (r.table != nil)) {
		is := titleOf(f)
		if isTable {
			is = "CSV"
		}
		err := fmt.Errorf("%s is %s, but %s is %s: all inputs must have the same format", name, is, r.first, was.Title)
		if !was.Lines {
			name = r.first
		}
		return msg.WithHint(err, "%s", r.conversionHint(name))
	}
	if r.opened == 0 {
		r.format, r.first = f, name // set only once, because a writer reads them in another goroutine
	}
	r.opened++
	if r.opened > 1 || isTable {
		return nil
	}
	return r.settleUse()
}

// titleOf returns the title of a format, or that of lines if f is nil.
func titleOf(f *Format) string {
	if f != nil {
		return f.Kind.Title
	}
	return dataform.JSONLines.Title
}

// choose sets the dialect of a table. The suffix of its name selects kind, which may be zero, and
// first is its first line. Unless the options give the separator, it is a tab if the suffix is .tsv,
// or if it is not .csv and the first line has tabs but no commas. Tables with other separators have
// the kind CSV.
func (t *Table) choose(d *Dialect, kind dataform.Kind, first []byte) {
	t.comma, t.quote = byte(d.Separator), '"'
	switch {
	case t.comma != 0:
	case kind == dataform.TSV || kind != dataform.CSV && bytes.IndexByte(first, '\t') >= 0 && bytes.IndexByte(first, ',') < 0:
		t.comma = '\t'
	default:
		t.comma = ','
	}
	switch {
	case d.Quote == NoQuote:
		t.quote = 0
	case d.Quote != UsualQuote:
		t.quote = byte(d.Quote)
	default:
		t.inLine = t.comma == '\t'
	}
	if t.kind = kind; !kind.Table {
		if t.kind = dataform.CSV; t.comma == '\t' {
			t.kind = dataform.TSV
		}
	}
}

// conversionHint returns a hint with a command that converts a table or a Parquet file to JSON
// lines. If the reader reads one field, and its path has only letters, dots and underscores, the
// hint also has a command that moves the text to that field.
func (r *Reader) conversionHint(name string) string {
	convert, output := msg.Tools("{reccat} --to jsonl")+shellName(name), " >"+shellName(strings.Trim(filepath.Base(name), "<>")+".jsonl")
	hint := "convert " + name + ": " + convert + output
	if len(r.opt.Fields) == 1 && !strings.ContainsFunc(r.opt.Fields[0], func(c rune) bool { return c != '.' && c != '_' && !unicode.IsLetter(c) }) {
		field := r.opt.Fields[0]
		hint += fmt.Sprintf("; if the text is in NAME, not in %s: %s | jq -c '.%s = .NAME'%s", field, convert, field, output)
	}
	return hint
}

// Kind returns the kind of the inputs so far.
func (r *Reader) Kind() dataform.Kind {
	switch {
	case r.format != nil:
		return r.format.Kind
	case r.table == nil:
		return dataform.JSONLines
	}
	return r.table.kind
}

// openFormat opens a stream in the reader's format. If the stream is not a seekable file that is read
// from its start, openFormat first copies it to a scratch file.
func (r *Reader) openFormat(s *Stream) (Source, error) {
	f, ok := s.r.(*os.File)
	if !ok || !seekable(f) || !isUnread(f) {
		var err error
		if f, err = spill.Create(); err != nil {
			return nil, err
		}
		if _, err := io.Copy(f, s); err != nil {
			return nil, fmt.Errorf("spooling %s: %w", s.Name, err)
		}
		if err := s.Close(); err != nil {
			return nil, err
		}
		if f, err = renamed(f, s.Name); err != nil {
			return nil, err
		}
	}
	r.kept, r.keptParts = append(r.kept, f), append(r.keptParts, r.parts)
	src, err := r.format.Open(f, r.parts, &r.opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if wide, ok := src.(interface{ Columns() []string }); ok {
		if err := r.checkColumns(wide.Columns()); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if noting, ok := src.(interface{ Note() string }); ok {
		if note := noting.Note(); note != "" && !slices.ContainsFunc(r.notes, func(n string) bool { return strings.HasSuffix(n, note) }) {
			r.notes = append(r.notes, s.Name+": "+note)
		}
	}
	info, err := f.Stat()
	if s.file != nil { // a writer may read the file again, and columns are read at different times
		r.in.Openings.Reread(s.file)
	}
	if shared, ok := src.(sharer); ok && err == nil && r.in.Meter != nil {
		src = &measuredSource{shared, passMeter{meter: r.in.Meter, size: info.Size()}}
	}
	return src, nil
}

// renamed returns the same open file under another name, for messages. It closes f.
func renamed(f *os.File, name string) (*os.File, error) {
	own, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, &fs.PathError{Op: "dup", Path: name, Err: err}
	}
	syscall.CloseOnExec(own)
	return os.NewFile(uintptr(own), name), f.Close()
}

// isUnread reports whether the next byte that is read from a file is its first.
func isUnread(f *os.File) bool {
	at, err := f.Seek(0, io.SeekCurrent)
	return err == nil && at == 0
}
