package record

import (
	"fmt"
	"io"
	"os"
	"slices"

	"doppel/pkg/record/jsonscan"
	"doppel/pkg/spill"
)

// Places holds the positions of records in uncompressed files of lines. The first reading stores
// the positions, so that a later reading can read only the wanted records. Each position takes 16
// bytes in a spool. A nil Places stores nothing.
type Places struct {
	spool   spill.Spool[[2]uint64] // for each ordinal, the offset in one word, and the file number and the length in the other
	files   []*File
	missing bool // the position of at least one record is unknown
	sealed  bool // Note ignores further records
}

// fileShift is the bit position of the file number in the second word of a stored position.
const fileShift = 40

// Note stores the positions of the records in a batch. The caller must pass the batches in input
// order.
func (p *Places) Note(b *Batch) {
	if p == nil || p.missing || p.sealed {
		return
	}
	for i := range b.Records {
		rec := &b.Records[i]
		f, at := b.Place(rec)
		if f == nil || len(rec.Raw) >= 1<<fileShift {
			p.missing = true
			return
		}
		if n := len(p.files); n == 0 || p.files[n-1] != f {
			p.files = append(p.files, f)
		}
		// A failed write is reported when the entries are read.
		p.spool.Add([2]uint64{uint64(at), uint64(len(p.files)-1)<<fileShift | uint64(len(rec.Raw))})
	}
}

// Known reports whether p holds the positions of at least this many records.
func (p *Places) Known(records int64) bool {
	return p != nil && !p.missing && records > 0 && p.spool.Len() >= records
}

// Seal makes Note ignore further records, because later readings may read other inputs. It does
// nothing before the first record.
func (p *Places) Seal() {
	if p != nil {
		p.sealed = p.missing || p.spool.Len() > 0
	}
}

// Close removes the scratch file.
func (p *Places) Close() error { return p.spool.Close() }

// Reader returns a reader of only the wanted records. The records have the same ordinals as in the
// first reading.
func (p *Places) Reader(opt Options, wanted func(ordinal int64) bool) (*Reader, error) {
	opt.Expect, opt.Skip = 0, nil
	paths, err := newPaths(&opt)
	if err != nil {
		return nil, err
	}
	return &Reader{opt: opt, paths: paths, source: &placeSource{places: p, paths: paths, wanted: wanted, entries: p.spool.Reader()}}, nil
}

// A placeSource reads the wanted records at their stored positions.
type placeSource struct {
	places  *Places
	paths   *paths
	wanted  func(int64) bool
	entries func([][2]uint64) (int, error)
	block   [][2]uint64 // entries of the spool that have been read but not yet used
	memory  [][2]uint64
	ordinal int64 // ordinal of the first entry of the block
	file    *os.File
	number  int // index of the current file in places.files
}

// Next fills b with wanted records of one file, up to about blockSize bytes.
func (s *placeSource) Next(b *Batch) error {
	var all [][3]uint64 // ordinal, offset, length
	size, number := 0, -1
	for size < blockSize {
		if len(s.block) == 0 {
			s.memory = slices.Grow(s.memory[:0], 4096)[:4096]
			n, err := s.entries(s.memory)
			if s.block = s.memory[:n]; err == io.EOF && n == 0 {
				break
			}
			if err != nil && err != io.EOF {
				return err
			}
		}
		x := s.block[0]
		if s.wanted(s.ordinal) {
			if of := int(x[1] >> fileShift); number < 0 {
				number = of
			} else if number != of {
				break
			}
			length := x[1] & (1<<fileShift - 1)
			all = append(all, [3]uint64{uint64(s.ordinal), x[0], length})
			size += int(length)
		}
		s.block, s.ordinal = s.block[1:], s.ordinal+1
	}
	if len(all) == 0 {
		return io.EOF
	}
	if s.file == nil || s.number != number {
		s.Close()
		file, err := s.places.files[number].Open()
		if err != nil {
			return err
		}
		s.file, s.number = file, number
	}
	b.Reset(len(all), s.paths.decode)
	b.data, b.size = slices.Grow(b.data, size), int64(size)
	for i, x := range all {
		start := len(b.data)
		b.data = b.data[:start+int(x[2])]
		raw := b.data[start:len(b.data):len(b.data)]
		if _, err := s.file.ReadAt(raw, int64(x[1])); err != nil {
			return fmt.Errorf("%s: changed while it was read: %w", s.file.Name(), err)
		}
		b.Records[i].Raw, b.Records[i].Ordinal, b.Records[i].Name = raw, int64(x[0]), s.file.Name()
	}
	return nil
}

func (s *placeSource) Close() error {
	if s.file == nil {
		return nil
	}
	file := s.file
	s.file = nil
	return file.Close()
}

// Place returns the file that holds the raw record, and the record's offset in bytes. f is nil if
// the record does not come from a regular, uncompressed file of lines.
func (b *Batch) Place(rec *Record) (f *File, at int64) {
	if b.lines == nil {
		return nil, 0
	}
	// The capacities of Raw and of the memory around it end at the same byte, so their difference is
	// Raw's offset in that memory.
	if n := cap(b.head); n > 0 && cap(rec.Raw) > 0 && &rec.Raw[:cap(rec.Raw)][cap(rec.Raw)-1] == &b.head[:n][n-1] {
		return b.lines, b.headAt + int64(n-cap(rec.Raw))
	}
	return b.lines, b.at + int64(cap(b.data)-cap(rec.Raw))
}

// A Decoder extracts the text of single lines. Each goroutine needs its own Decoder.
type Decoder struct {
	batch Batch
	opt   Options
	paths *paths
	scan  *jsonscan.Scanner // for Find
}

// NewDecoder returns a decoder that finds the text of a line in the same way as a [Reader] with
// these options.
func NewDecoder(opt Options) (*Decoder, error) {
	opt.ID, opt.Within, opt.Across, opt.Skip = "", "", "", nil
	p, err := newPaths(&opt)
	return &Decoder{opt: opt, paths: p}, err
}

// Text returns the text of a line, valid until the next call.
func (d *Decoder) Text(raw []byte) ([]byte, error) {
	b := &d.batch
	b.Reset(1, nil)
	b.opt, b.Records[0].Raw = &d.opt, raw
	d.paths.decode(b)
	return b.Records[0].Text, b.Records[0].Err
}

// Find returns the position of the text's value in a line: of a JSON value with its quotes, or of the
// whole line. If there are several fields, it is the first one.
func (d *Decoder) Find(raw []byte) (start, end int, err error) {
	if d.paths.whole {
		return 0, len(raw), nil
	}
	if d.scan == nil {
		d.scan = d.paths.newScanner()
	}
	if err := d.scan.Scan(raw, d.paths.root); err != nil {
		return 0, 0, err
	}
	at := d.scan.Spans[0]
	if at.End == 0 {
		_, err = d.paths.value(&d.batch, &Record{Raw: raw}, at, d.paths.fields[0])
	}
	return at.Start, at.End, err
}
