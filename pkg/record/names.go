package record

import (
	"errors"
	"fmt"
	"io"
	"os"

	"doppel/pkg/files"
)

// A nameSource reads a list of file names; the content of each is a text. The
// files are opened by Decode, in as many threads as decode.
type nameSource struct {
	s     *Stream
	names *files.Reader
	batch files.Batch
}

// namesPerBatch is small, since files may be large, and their texts are held
// until the batch is done.
const namesPerBatch = 16

func newNameSource(s *Stream, end byte) *nameSource {
	return &nameSource{s: s, names: files.NewReader(s, end)}
}

func (n *nameSource) Close() error { return n.s.Close() }

func (n *nameSource) Next(b *Batch) error {
	b.Reset(0, decodeFiles)
	if err := n.names.Next(&n.batch, namesPerBatch); err != nil {
		return err
	}
	for _, it := range n.batch.Items {
		start, end := b.Append(func(dst []byte) []byte { return append(dst, it.Name...) })
		name := b.Bytes(start, end)
		b.Records = append(b.Records, Record{Raw: name, ID: name, Line: it.Line})
	}
	return nil
}

// decodeFiles reads the files of a batch, and drops names of directories where
// those are no records.
func decodeFiles(b *Batch) {
	all := b.Records
	b.Records = b.Records[:0]
	for _, rec := range all {
		start := len(b.arena)
		b.arena, rec.Err = AppendFile(b.arena, string(rec.Raw))
		rec.Text = b.arena[start:len(b.arena):len(b.arena)]
		b.size += int64(len(rec.Text))
		if rec.Err == nil || !b.opt.SkipDirs || !isDirectory(string(rec.Raw)) {
			b.Records = append(b.Records, rec)
		}
	}
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

var errNotRegular = errors.New("not a regular file")

// AppendFile appends the content of the named regular file to dst. What is no
// regular file is refused without being opened, for opening a FIFO can hang.
func AppendFile(dst []byte, name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", name, errNotRegular)
	}
	if err != nil {
		return dst, err
	}
	f, err := openPlain(name)
	if err != nil {
		return dst, err
	}
	defer f.Close()
	return appendAll(dst, f, int(info.Size()))
}

func appendAll(dst []byte, r io.Reader, hint int) ([]byte, error) {
	if cap(dst)-len(dst) <= hint {
		dst = append(make([]byte, 0, 2*len(dst)+hint+512), dst...)
	}
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}
