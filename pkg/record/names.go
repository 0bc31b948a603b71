package record

import (
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
