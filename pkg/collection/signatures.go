package collection

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
)

// A file of signatures has a signature for each record of a segment, in order. All have the size
// that the scheme says, so no directory is needed. They are divided into blocks of about a page: a
// block is a checksum, as a page has, and the signatures. They are not compressed, because slots
// are random.

// A blocking is the division of a file of signatures into blocks.
type blocking struct {
	width int64 // size of a signature
	each  int64 // number of signatures of a block, except the last one
	bytes int64 // size of such a block
}

func blockingOf(s Scheme) blocking {
	b := blocking{width: int64(s.SignatureBytes)}
	b.each = max(1, (pageSize-pageSum)/b.width)
	b.bytes = pageSum + b.each*b.width
	return b
}

// fileBytes returns the size of a file of n signatures.
func (b blocking) fileBytes(n int64) int64 { return (n+b.each-1)/b.each*pageSum + n*b.width }

// A signatureWriter writes a file of signatures.
type signatureWriter struct {
	*fileWriter
	blocking
	block  []byte // the block being filled, beginning with room for its checksum
	number int64  // its number
}

func newSignatureWriter(w *fileWriter, s Scheme) *signatureWriter {
	return &signatureWriter{fileWriter: w, blocking: blockingOf(s), block: make([]byte, pageSum)}
}

// add adds the signature of the next record.
func (w *signatureWriter) add(signature []byte) error {
	if int64(len(signature)) != w.width {
		return fmt.Errorf("%s: a signature of %d bytes: want %d", w.file.Name(), len(signature), w.width)
	}
	if w.block = append(w.block, signature...); int64(len(w.block)) < w.bytes {
		return nil
	}
	return w.flush()
}

// flush writes the block being filled, if it has any signature.
func (w *signatureWriter) flush() error {
	if len(w.block) == pageSum {
		return nil
	}
	binary.LittleEndian.PutUint64(w.block, w.salt.sumOf(w.block[pageSum:], w.number))
	w.number++
	_, err := w.Write(w.block)
	w.block = w.block[:pageSum]
	return err
}

// finish writes the last block.
func (w *signatureWriter) finish(sync bool) (*File, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	f, err := w.fileWriter.finish(0, sync)
	return &f, err
}

// addSegments adds the signatures of the records of a collection that are not removed.
func (w *signatureWriter) addSegments(c *Collection) error {
	for _, s := range c.segments {
		r := newSignatureReader(s, w.blocking)
		r.window = mostWindow
		for record := range s.Records {
			if s.gone.has(uint32(record)) {
				continue
			}
			signature, err := r.signature(record)
			if err == nil {
				err = w.add(signature)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// A signatureReader reads the signatures of a segment. It holds the blocks that it read last.
type signatureReader struct {
	blocking
	file    *os.File
	salt    salt
	records int64
	window  int64 // number of blocks to read at a time
	first   int64 // number of the first block in buf
	checked int64 // number of the last block whose checksum was checked; -1 for none
	buf     []byte
}

func newSignatureReader(s *segment, b blocking) *signatureReader {
	return &signatureReader{blocking: b, file: s.signatures, salt: s.Signatures.Salt, records: s.Records, window: 1, checked: -1}
}

// signature returns the signature of a record of the segment. It is valid until the next call.
func (r *signatureReader) signature(record int64) ([]byte, error) {
	number := record / r.each
	if number != r.checked {
		if err := r.check(number); err != nil {
			return nil, err
		}
	}
	at := (number-r.first)*r.bytes + pageSum + record%r.each*r.width
	return r.buf[at:][:r.width:r.width], nil
}

// check reads a block, and as many more as the window has, unless it is in memory, and checks its
// checksum.
func (r *signatureReader) check(number int64) error {
	if from := (number - r.first) * r.bytes; from < 0 || from >= int64(len(r.buf)) {
		at := number * r.bytes
		n := min(r.window*r.bytes, r.fileBytes(r.records)-at)
		r.buf = slices.Grow(r.buf[:0], int(n))[:n]
		r.first, r.checked = number, -1
		if err := readAt(r.file, r.buf, at); err != nil {
			r.buf = r.buf[:0]
			return err
		}
	}
	block := r.buf[(number-r.first)*r.bytes:]
	block = block[:min(r.bytes, int64(len(block)))]
	if binary.LittleEndian.Uint64(block) != r.salt.sumOf(block[pageSum:], number) {
		return fileError(r.file, "block %d: %w", number, errSum)
	}
	r.checked = number
	return nil
}

// checkSignatures reads all blocks of a segment's signatures.
func (s *segment) checkSignatures(b blocking) error {
	r := newSignatureReader(s, b)
	r.window = mostWindow
	for record := int64(0); record < s.Records; record += b.each {
		if _, err := r.signature(record); err != nil {
			return err
		}
	}
	return nil
}
