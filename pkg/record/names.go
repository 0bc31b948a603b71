package record

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
)

// A nameSource makes a record from each named file, with its content as the text. The files are
// read by decodeFiles, so several goroutines can read them in parallel.
type nameSource struct {
	names filename.Source
	batch filename.Batch
	list  *Stream                // the stream that contains the names; nil if they are not read from a stream
	seen  map[[2]uint64]struct{} // hashes of the cleaned names returned so far
	check files.Check            // see Options.CheckFile
	most  int64                  // maximum size of a file, and of its text in UTF-8, in bytes
	limit string                 // the same, for messages
	meter *Meter                 // counts the bytes of the processed names; nil if progress is not measured
}

// namesPerBatch is small, because files may be large and a batch holds the texts of all its files.
const namesPerBatch = 16

func (n *nameSource) Close() error {
	if n.list == nil {
		return nil
	}
	return n.list.Close()
}

// Next copies the next names into the batch. A file that is named twice in the same way, but for dots
// and slashes, is returned once.
func (n *nameSource) Next(b *Batch) error {
	b.Reset(0, n.decodeFiles)
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
		if it.Err == nil && n.repeats(it.Name) {
			continue
		}
		start := len(b.data)
		b.data = append(b.data, it.Name...)
		name := b.data[start:len(b.data):len(b.data)]
		b.Records = append(b.Records, Record{Raw: name, ID: name, Line: it.Line, Err: it.Err})
	}
	return err
}

// repeats reports whether an earlier name, cleaned, is the same.
func (n *nameSource) repeats(name []byte) bool {
	clean := filepath.Clean(string(name))
	second := xxhash.NewWithSeed(1) // 64 bits would not exclude collisions
	second.WriteString(clean)
	hash := [2]uint64{xxhash.Sum64String(clean), second.Sum64()}
	if _, repeats := n.seen[hash]; repeats {
		return true
	}
	if n.seen == nil {
		n.seen = map[[2]uint64]struct{}{}
	}
	n.seen[hash] = struct{}{}
	return false
}

// Positions in a normalised text are 32-bit numbers. Decomposition makes a text up to eleven times as
// long, and other forms of normalisation less than twice.
const (
	mostFile      = 1 << 30
	MaxDecomposed = 186 << 20 // maximum size of a text that is decomposed, in bytes
)

func newNameSource(names filename.Source, list *Stream, r *Reader) *nameSource {
	n := &nameSource{names: names, list: list, meter: r.in.Meter, check: r.opt.CheckFile, most: mostFile, limit: "1G"}
	if how := r.opt.Decomposed; how != "" {
		n.most, n.limit = MaxDecomposed, "186M, the limit with "+how
	}
	return n
}

// checkSize returns an error if a file, or its text in UTF-8, has too many bytes.
func (n *nameSource) checkSize(name []byte, size int64) error {
	if size <= n.most {
		return nil
	}
	return &files.Error{Name: string(name), Err: fmt.Errorf("%d bytes, more than %s", size, n.limit)}
}

// decodeFiles reads the files of a batch. If a list names a directory, decodeFiles drops its
// record.
func (n *nameSource) decodeFiles(b *Batch) {
	all := b.Records
	b.Records = b.Records[:0]
	for _, rec := range all {
		start := len(b.arena)
		if rec.Err == nil {
			b.arena, rec.Err = files.AppendText(b.arena, rec.Raw, files.Follow, func(f *files.Info) error {
				err := n.checkSize(rec.Raw, f.Size)
				if err == nil && n.check != nil {
					err = n.check(f)
				}
				return err
			})
		}
		if rec.Err == nil { // the file may have grown, or become longer as UTF-8
			rec.Err = n.checkSize(rec.Raw, int64(len(b.arena)-start))
		}
		rec.Text = b.arena[start:len(b.arena):len(b.arena)]
		b.size += int64(len(rec.Text))
		if !files.PassOver(rec.Line, rec.Err) {
			b.Records = append(b.Records, rec)
		}
	}
}
