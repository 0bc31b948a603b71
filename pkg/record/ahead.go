package record

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"doppel/pkg/par"
)

// mostAhead is the maximum number of pieces that are decoded concurrently. Eight frames of 4 MB,
// with their compressed forms, take about 50 MB.
const mostAhead = 8

// maxDecoded is the maximum size of a piece that is decoded as a whole, in bytes after decoding.
const maxDecoded = 8 << 20

// errUncut is the error for a stream, or its rest, that cannot be divided into pieces that are
// decoded as a whole.
var errUncut = errors.New("the stream cannot be cut")

// A cutter divides a compressed stream into pieces that can be decoded one without the other. The
// pieces may be guesses: if one cannot be decoded as a whole, the stream is decoded from there on
// without cutting it, which gives the same bytes and the same error.
type cutter interface {
	// cut reads the next piece. Packed has the bytes of it that were read with the piece before. cut
	// appends others, and returns the size of the piece, which may be less than that of packed, and
	// the size after decoding, or 0 if that is unknown. The error is io.EOF at the end of the stream.
	// After any other error, the rest of the stream, which begins with packed, cannot be cut.
	cut(r *bufio.Reader, packed *[]byte) (size, decoded int, err error)
	// decode appends the decoded form of a piece to dst. It may be called by several goroutines at
	// once. It returns an error if the piece does not end where the decoder ends.
	decode(dst, packed []byte) ([]byte, error)
	// stream decodes the rest of the stream, from the beginning of a piece.
	stream(r *bufio.Reader) io.ReadCloser
	// close frees memory after the last call of the other functions.
	close()
}

// An aheadReader decodes several pieces of a compressed stream at a time, and returns their bytes
// in order.
type aheadReader struct {
	cutter
	r      *bufio.Reader
	ahead  int                   // number of pieces that are decoded concurrently
	pieces chan chan packedPiece // in the order of the stream; nil before the first Read
	begun  []byte                // the beginning of the next piece
	stop   chan struct{}         // closed when no more pieces are wanted
	now    packedPiece           // the piece that is being read
	rest   io.ReadCloser         // the rest of the stream, if it is decoded while it is read
	packed par.Spares[[]byte]    // memory for compressed pieces
	spares par.Spares[[]byte]    // memory for decoded pieces
}

// A packedPiece is a piece of a compressed stream.
type packedPiece struct {
	packed *[]byte
	data   []byte  // the decoded bytes that have not been read
	memory *[]byte // of the decoded bytes
	whole  bool    // the piece has been decoded; otherwise the rest of the stream begins with it
}

func newAheadReader(r *bufio.Reader, c cutter, jobs int) *aheadReader {
	ahead := min(max(jobs, 1), mostAhead)
	return &aheadReader{
		cutter: c, r: r, ahead: ahead, stop: make(chan struct{}),
		packed: par.NewSpares[[]byte](ahead), spares: par.NewSpares[[]byte](ahead),
	}
}

func (a *aheadReader) Read(p []byte) (int, error) {
	if a.pieces == nil {
		a.pieces = make(chan chan packedPiece, max(a.ahead-1, 1))
		go a.cutPieces()
	}
	for len(a.now.data) == 0 && a.rest == nil {
		if a.now.whole {
			a.packed.Put(a.now.packed)
			a.spares.Put(a.now.memory)
		}
		a.now = packedPiece{}
		next, ok := <-a.pieces
		if !ok {
			return 0, io.EOF
		}
		if a.now = <-next; !a.now.whole {
			a.rest = a.stream(bufio.NewReaderSize(io.MultiReader(a.readRest(a.now)...), 1<<16))
		}
	}
	if a.rest != nil {
		return a.rest.Read(p)
	}
	n := copy(p, a.now.data)
	a.now.data = a.now.data[n:]
	return n, nil
}

// readRest ends the cutting, and returns readers of the compressed bytes from the beginning of a
// piece, the last one that was received.
func (a *aheadReader) readRest(from packedPiece) (rest []io.Reader) {
	close(a.stop)
	rest = append(rest, bytes.NewReader(*from.packed))
	for next := range a.pieces {
		rest = append(rest, bytes.NewReader(*(<-next).packed))
	}
	return append(rest, bytes.NewReader(a.begun), a.r)
}

// Close waits until nothing is read from the compressed stream any more.
func (a *aheadReader) Close() error {
	switch {
	case a.rest != nil:
		a.rest.Close()
	case a.pieces != nil:
		a.readRest(packedPiece{packed: new([]byte)})
	}
	a.close()
	return nil
}

// cutPieces cuts the stream, and starts to decode the pieces.
func (a *aheadReader) cutPieces() {
	defer close(a.pieces)
	for {
		packed := a.packed.Get()
		*packed = append((*packed)[:0], a.begun...)
		a.begun = a.begun[:0]
		size, decoded, err := a.cut(a.r, packed)
		if err == io.EOF && len(*packed) == 0 {
			return
		}
		if err == nil {
			a.begun = append(a.begun, (*packed)[size:]...)
			*packed = (*packed)[:size]
		}
		next := make(chan packedPiece, 1)
		a.pieces <- next // readRest receives the last pieces
		if err != nil {
			next <- packedPiece{packed: packed}
			return
		}
		go func() { next <- a.decodePiece(packed, decoded) }()
		select {
		case <-a.stop:
			return
		default:
		}
	}
}

func (a *aheadReader) decodePiece(packed *[]byte, decoded int) packedPiece {
	memory := a.spares.Get()
	data, err := a.decode(slices.Grow((*memory)[:0], decoded), *packed)
	if err != nil {
		a.spares.Put(memory)
		return packedPiece{packed: packed}
	}
	*memory = data[:0]
	return packedPiece{packed: packed, data: data, memory: memory, whole: true}
}
