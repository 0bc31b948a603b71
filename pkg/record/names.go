package record

import (
	"bufio"
	"bytes"
	"io"
	"os"
)

// A nameSource reads a list of file names; the content of each is a text. The
// files are opened by Decode, in as many threads as decode.
type nameSource struct {
	s    *Stream
	br   *bufio.Reader
	end  byte
	line int64
}

// namesPerBatch is small, since files may be large, and their texts are held
// until the batch is done.
const namesPerBatch = 16

func newNameSource(s *Stream, end byte) *nameSource {
	return &nameSource{s: s, br: bufio.NewReader(s), end: end}
}

func (n *nameSource) Close() error { return n.s.Close() }

func (n *nameSource) Next(b *Batch) error {
	b.Reset(0, decodeFiles)
	for len(b.Records) < namesPerBatch {
		name, err := n.br.ReadBytes(n.end)
		if err != nil && err != io.EOF {
			return err
		}
		n.line++
		if name = n.trim(name); len(name) > 0 {
			b.Records = append(b.Records, Record{Raw: name, ID: name, Line: n.line})
		}
		if err == io.EOF {
			break
		}
	}
	if len(b.Records) == 0 {
		return io.EOF
	}
	return nil
}

func (n *nameSource) trim(name []byte) []byte {
	if n.end == 0 {
		return bytes.TrimSuffix(name, []byte{0})
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(name, []byte("\n")), []byte("\r"))
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
