package record

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"doppel/pkg/files/filename"
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

	// Decoded keeps what is decoded of compressed inputs, for later readings.
	Decoded *DecodedInputs

	// Changed, if it is set, reports sealed lines that another program has changed on their
	// way here: see Options.Sealed.
	Changed func(name string, why error)

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
	if _, placed := r.source.(*placeSource); placed {
		return
	}
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
	return io.EOF
}

// open opens an input, or what is decoded of it already.
func (in *Input) open(name string) (*Stream, error) {
	if r, _ := in.Decoded.of(name); r != nil {
		return &Stream{Name: name, r: r, plain: true, regular: true}, nil
	}
	s, err := openRaw(name, in.Stdin)
	if err == nil && name != "-" {
		s.copied = func(r io.Reader) io.Reader { return in.Decoded.keep(name, r) }
	}
	return s, err
}
