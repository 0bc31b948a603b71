package record

import (
	"bufio"
	"io"
)

// CopyInput copies an input that can be read only once to w, and reads the records meanwhile. It
// returns the errors with which a Reader with the given options would end, so the copy of an endless
// input ends if that is not a dataset or has a record longer than opt.MaxRecord. name is the display
// name of the input. CopyInput reads only the first records of a compressed input, and none of a Parquet file,
// because decoding takes longer than copying.
func CopyInput(w io.Writer, r io.Reader, name string, opt Options) error {
	in := bufio.NewReader(r)
	magic, _ := in.Peek(magicBytes) // a later Read returns the error of a failed Peek
	if len(magic) > 0 && (opt.Lines || byMagic(magic) == nil) {
		tee := &copier{from: in, to: w}
		opt = Options{Lines: opt.Lines, Null: opt.Null, MaxRecord: opt.MaxRecord, Dialect: opt.Dialect, NoText: true}
		opt.NoPartitions = true
		rd, err := NewReader(Input{Stdin: tee, Called: map[string]string{"-": name}}, opt)
		if err != nil {
			return err
		}
		var b Batch
		for first := true; err == nil && (first || packingOf(magic) == ""); first = false {
			err = rd.Next(&b)
		}
		if rd.source != nil {
			rd.source.Close() // a decoder no longer reads ahead
		}
		if tee.failed != nil {
			return tee.failed
		}
		if err != nil && err != io.EOF {
			return err
		}
	}
	_, err := io.Copy(w, in)
	return err
}

// A copier writes all bytes that are read from it.
type copier struct {
	from   io.Reader
	to     io.Writer
	failed error // the error of the writer
}

func (c *copier) Read(p []byte) (n int, err error) {
	if c.failed == nil {
		n, err = c.from.Read(p)
		_, c.failed = c.to.Write(p[:n])
	}
	if c.failed != nil {
		return 0, c.failed
	}
	return n, err
}
