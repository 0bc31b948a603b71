package record

import (
	"errors"
	"fmt"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
)

// A nameSource makes each file that is named a record: its content is the text.
// The files are opened by Decode, in as many threads as decode.
type nameSource struct {
	names filename.Source
	batch filename.Batch
	list  *Stream // that the names are read from, or nil
	meter *Meter  // counts the bytes of the names whose files were read; or nil
}

// namesPerBatch is small, since files may be large, and their texts are held
// until the batch is done.
const namesPerBatch = 16

func (n *nameSource) Close() error {
	if n.list == nil {
		return nil
	}
	return n.list.Close()
}

// Next takes the next names, and copies them to memory of the batch.
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

// decodeFiles reads the files of a batch, and drops the directories of a list.
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
