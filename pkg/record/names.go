package record

import (
	"errors"
	"fmt"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
)

// A nameSource makes a record from each named file, with its content as the text. The files are
// read by decodeFiles, so several goroutines can read them in parallel.
type nameSource struct {
	names filename.Source
	batch filename.Batch
	list  *Stream // the stream that contains the names; nil if they are not read from a stream
	meter *Meter  // counts the bytes of the processed names; nil if progress is not measured
}

// namesPerBatch is small, because files may be large and a batch holds the texts of all its files.
const namesPerBatch = 16

func (n *nameSource) Close() error {
	if n.list == nil {
		return nil
	}
	return n.list.Close()
}

// Next copies the next names into the batch.
func (n *nameSource) Next(b *Batch) error {
	b.Reset(0, decodeFiles)
	if n.meter != nil {
		for _, it := range n.batch.Items {
			n.meter.read.Add(int64(len(it.Name)) + 1)
		}
	}
	err := n.names.Next(&n.batch, namesPerBatch)
	if errors.Is(err, filename.ErrNUL) {
		err = fmt.Errorf("%s: %w", n.list.Name, err)
	}
	for i := range n.batch.Items {
		it := &n.batch.Items[i]
		start := len(b.data)
		b.data = append(b.data, it.Name...)
		name := b.data[start:len(b.data):len(b.data)]
		b.Records = append(b.Records, Record{Raw: name, ID: name, Line: it.Line, Err: it.Err})
	}
	return err
}

// decodeFiles reads the files of a batch. If a list names a directory, decodeFiles drops its
// record.
func decodeFiles(b *Batch) {
	all := b.Records
	b.Records = b.Records[:0]
	for _, rec := range all {
		start := len(b.arena)
		if rec.Err == nil {
			b.arena, rec.Err = files.Append(b.arena, rec.Raw, files.Follow)
		}
		rec.Text = b.arena[start:len(b.arena):len(b.arena)]
		b.size += int64(len(rec.Text))
		if !files.PassOver(rec.Line, rec.Err) {
			b.Records = append(b.Records, rec)
		}
	}
}
