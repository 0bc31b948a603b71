package record

import "os"

// A File is a regular file whose bytes are lines, not compressed, so that a record can be read
// again by its place.
type File struct {
	Name string
	Info os.FileInfo // when it was opened
}

// fileOf returns the File of an open one, or nil if that is not regular.
func fileOf(f *os.File) *File {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return &File{f.Name(), info}
}

// Place returns the file that has the raw record, and the offset of the record in bytes; or nil
// if it comes from something else.
func (b *Batch) Place(rec *Record) (f *File, at int64) {
	if b.lines == nil {
		return nil, 0
	}
	return b.lines, b.at + int64(cap(b.data)-cap(rec.Raw)) // both end where the memory does
}

// A Decoder takes the text out of single lines. Each goroutine needs its own.
type Decoder struct {
	batch Batch
	opt   Options
	paths *paths
}

// NewDecoder returns a decoder of lines that are read with these options.
func NewDecoder(opt Options) (*Decoder, error) {
	opt.ID, opt.Skip = "", nil
	p, err := newPaths(&opt)
	return &Decoder{opt: opt, paths: p}, err
}

// Text returns the text of a line, which is valid until the next call.
func (d *Decoder) Text(raw []byte) ([]byte, error) {
	b := &d.batch
	b.Reset(1, nil)
	b.opt, b.Records[0].Raw = &d.opt, raw
	d.paths.decode(b)
	return b.Records[0].Text, b.Records[0].Err
}
