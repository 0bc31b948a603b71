package record

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"doppel/pkg/record/dataform"
	"doppel/pkg/spill"
	"doppel/pkg/wording"
)

// sourceOf chooses the source: what lines are, where that is asked for, and else by the
// first bytes of the stream, or, for CSV, by its name.
func (r *Reader) sourceOf(s *Stream) (Source, error) {
	if !r.paths.lines {
		format, err := s.format()
		if err == nil {
			err = r.settleKind(format, r.isTable(s), s.Name)
		}
		if err != nil {
			return nil, err
		}
		if format != nil {
			return r.openFormat(s)
		}
	}
	if err := r.decompress(s); err != nil {
		return nil, err
	}
	switch {
	case r.opt.Names:
		r.in.Meter.lose()
		return newNameSource(s, r.opt.end()), nil
	case r.table != nil:
		return r.newTableSource(s)
	}
	return newLineSource(s, r.paths, r.opt.end()), nil
}

// decompress has a stream counted and decompressed.
func (r *Reader) decompress(s *Stream) error {
	s.r = r.in.Meter.over(s.r)
	if err := s.decompress(); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if r.opt.Sealed {
		s.unseal(r.opt.Null, r.in.Changed)
	}
	return nil
}

// isTable reports whether a stream that is of no format is CSV or TSV.
func (r *Reader) isTable(s *Stream) bool {
	kind := dataform.KindOf(s.Name)
	return r.opt.CSV || kind == "csv" || kind == "tsv"
}

// newTableSource returns a source of rows. TSV is what is called so, or where
// nothing is said has tabs, and no commas, in its first line.
func (r *Reader) newTableSource(s *Stream) (Source, error) {
	if r.table.comma == 0 {
		r.table.comma = ','
		br := bufio.NewReaderSize(s.r, 1<<16)
		s.r = br
		peek, _ := br.Peek(1 << 12)
		first, _, _ := bytes.Cut(peek, lineEnd)
		kind := dataform.KindOf(s.Name)
		if kind == "tsv" || kind != "csv" && bytes.IndexByte(first, '\t') >= 0 && bytes.IndexByte(first, ',') < 0 {
			r.table.comma = '\t'
		}
		if err := r.settleSink(); err != nil {
			return nil, err
		}
	}
	return &csvSource{s: s, r: r, scan: rowScanner{comma: r.table.comma}}, nil
}

// settleKind refuses inputs of two kinds, since no output could hold both.
func (r *Reader) settleKind(f *Format, isTable bool, name string) error {
	was := r.kind()
	if isTable = isTable && f == nil; r.opened == 0 && isTable {
		r.table = &table{}
	}
	if r.opt.CSV && f != nil {
		return wording.WithHint(fmt.Errorf("%s: Parquet, not CSV", name), "--csv is of inputs that are text")
	}
	if r.opened > 0 && (f != r.format || isTable != (r.table != nil)) {
		was, is := dataform.KindNames[was], "JSON lines"
		switch {
		case isTable:
			is = "CSV"
		case f != nil:
			is = "Parquet"
		}
		if was < is {
			was, is = is, was
		}
		return wording.WithHint(fmt.Errorf("%s: %s and %s in one run", name, was, is), "one run reads one kind: reccat --to jsonl makes JSON lines of the others")
	}
	if r.opened == 0 {
		r.format = f // later it stays, for a sink asks in its own goroutine
	}
	r.opened++
	if r.opened > 1 || isTable {
		return nil
	}
	return r.settleSink()
}

func (r *Reader) settleSink() error {
	if r.sink == nil {
		return nil
	}
	return r.sink.settle()
}

// kind returns what the inputs so far are, as a Form names it.
func (r *Reader) kind() string {
	switch {
	case r.format != nil:
		return "parquet"
	case r.table == nil:
		return "jsonl"
	case r.table.comma == '\t':
		return "tsv"
	}
	return "csv"
}

// openFormat opens a seekable file of the format; a pipe is spooled first.
func (r *Reader) openFormat(s *Stream) (Source, error) {
	f, ok := s.r.(*os.File)
	if !ok || !seekable(f) {
		spooled, err := spool(s)
		if err != nil {
			return nil, err
		}
		f = spooled
	}
	r.kept = append(r.kept, f)
	src, err := r.format.Open(f, &r.opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return r.in.Meter.measure(src, f), nil
}

func seekable(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

func spool(s *Stream) (*os.File, error) {
	f, err := spill.Create()
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, s); err != nil {
		return nil, fmt.Errorf("spooling %s: %w", s.Name, err)
	}
	return f, s.Close()
}
