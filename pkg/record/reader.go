package record

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"doppel/pkg/decoded"
	"doppel/pkg/files/filename"
	"doppel/pkg/record/dataform"
	"doppel/pkg/spill"
	"doppel/pkg/wording"
)

// Input names what is read: files in order, or standard input.
type Input struct {
	Names []string // none: standard input; "-" is standard input too
	Stdin io.Reader

	// Files, if it is set, is read instead of Names: the contents of the files
	// that it names are the texts, as with Options.Names.
	Files filename.Source

	// Called is how messages and ids name a file that is read under another
	// name, such as "<stdin>" for a copy of standard input.
	Called map[string]string

	// Copies are decoded inputs, which are read instead; Maker makes such copies.
	Copies *decoded.Copies
	Maker  *decoded.Maker

	// Meter, if it is not nil, counts what is read. It expects these inputs.
	Meter *Meter
}

// A Source cuts one input into batches.
type Source interface {
	// Next fills the batch, by Batch.Reset, with at least one record, or
	// returns io.EOF after the last one.
	Next(*Batch) error
	Close() error
}

// A Reader reads the records of several inputs as one sequence.
// It opens each input when its turn comes.
type Reader struct {
	in      Input
	opt     Options
	paths   *paths
	source  Source
	name    string // of the source, for messages
	file    string // the same for ids: ./a and a are one file
	ordinal int64  // of the next record, over all inputs
	inFile  int64  // of the next record in its file

	format *Format // of the inputs so far, nil for lines
	table  *table  // of the inputs so far, nil unless they are CSV
	opened int
	kept   []*os.File // the files of a format that Copy reads again
	named  []string   // all inputs, of which in.Names are left
	sink   *Sink      // that the records are for, or nil
}

// NewReader returns a reader of the inputs. An input that does not exist is
// an error of Next, when its turn comes, but operands that are wrong in
// themselves are refused here.
func NewReader(in Input, opt Options) (*Reader, error) {
	if len(in.Names) == 0 {
		in.Names = []string{"-"}
	}
	if n := slices.Index(in.Names, "-"); n >= 0 && slices.Contains(in.Names[n+1:], "-") {
		return nil, fmt.Errorf("standard input is named twice")
	}
	p, err := newPaths(&opt)
	if err != nil {
		return nil, err
	}
	return &Reader{in: in, opt: opt, paths: p, named: in.Names}, nil
}

// Next reads the next batch into b, or returns io.EOF.
func (r *Reader) Next(b *Batch) error {
	for {
		if r.source == nil {
			if err := r.open(); err != nil {
				return err
			}
		}
		b.opt, b.name, b.file = &r.opt, r.name, r.file
		err := r.source.Next(b)
		if err == nil {
			r.number(b)
			return nil
		}
		if cerr := r.source.Close(); err == io.EOF {
			err = cerr
		}
		if r.source = nil; err != nil {
			return err
		}
	}
}

// number gives the records of a new batch their ordinals.
func (r *Reader) number(b *Batch) {
	b.first = r.inFile
	for i := range b.Records {
		b.Records[i].Name = r.name
		b.Records[i].Ordinal = r.ordinal + int64(i)
	}
	r.ordinal += int64(len(b.Records))
	r.inFile += int64(len(b.Records))
}

// open opens the next input, or returns io.EOF after the last one.
func (r *Reader) open() error {
	if names := r.in.Files; names != nil {
		r.in.Meter.lose()
		r.source, r.in.Files, r.in.Names = &nameSource{names: names}, nil, nil
		return nil
	}
	if len(r.in.Names) == 0 {
		return r.end()
	}
	name, err := r.nextName()
	if err != nil {
		return err
	}
	s, err := r.in.open(name)
	if err != nil {
		return err
	}
	if called, ok := r.in.Called[name]; ok {
		s.Name = called
	}
	r.name, r.file, r.inFile = s.Name, filepath.Clean(s.Name), 0
	r.source, err = r.sourceOf(s)
	return err
}

// end returns io.EOF, or an error if fewer records came than were expected: a copy
// that failed is an empty input, and one cut at the end of a line looks whole.
func (r *Reader) end() error {
	if r.ordinal < r.opt.Expect {
		return fmt.Errorf("%d records came, and %d are expected", r.ordinal, r.opt.Expect)
	}
	if err := r.in.Maker.Close(); err != nil {
		return err
	}
	return io.EOF
}

// open opens an input, or what is decoded of it already.
func (in *Input) open(name string) (*Stream, error) {
	if r, _ := in.Copies.Of(name); r != nil {
		return &Stream{Name: name, r: r, plain: true}, nil
	}
	s, err := openRaw(name, in.Stdin)
	if err == nil && name != "-" {
		s.copied = func(r io.Reader) io.Reader { return in.Maker.Copying(name, r) }
	}
	return s, err
}

// sourceOf chooses the source by the first bytes of the stream, or, for CSV, by
// its name.
func (r *Reader) sourceOf(s *Stream) (Source, error) {
	if r.opt.Names || r.opt.Lines {
		s.r = r.in.Meter.over(s.r)
		if r.opt.Names {
			r.in.Meter.lose()
		}
		if err := s.decompress(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		if r.opt.Names {
			return newNameSource(s, r.opt.end()), nil
		}
		return newLineSource(s, r.paths, r.opt.end()), nil
	}
	format, err := s.format()
	if err != nil {
		return nil, err
	}
	if err := r.settleKind(format, r.isTable(s), s.Name); err != nil {
		return nil, err
	}
	if format != nil {
		return r.openFormat(s)
	}
	s.r = r.in.Meter.over(s.r)
	if err := s.decompress(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if r.table != nil {
		return r.newTableSource(s)
	}
	return newLineSource(s, r.paths, r.opt.end()), nil
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
