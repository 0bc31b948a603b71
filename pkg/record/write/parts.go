package write

import (
	"io"
	"sync/atomic"

	"doppel/pkg/par"
	"doppel/pkg/record/zst"
)

// parts is a writer that divides a stream into pieces of the same size, encodes several of them
// concurrently, and writes the encoded pieces in order. It holds at most jobs+2 pieces and their
// encoded forms.
type parts struct {
	w      io.Writer
	encode zst.Encoder
	size   int
	jobs   int
	piece  []byte
	spares par.Spares[[]byte] // buffers for pieces and encoded pieces
	begun  bool               // at least one piece has been encoded or is being encoded
	queue  chan chan []byte   // channels in the order of the pieces, each for one encoded piece; nil before the first piece
	done   chan struct{}
	failed atomic.Pointer[error] // the first error from w
}

func newParts(w io.Writer, encode zst.Encoder, size, jobs int) *parts {
	return &parts{w: w, encode: encode, size: size, jobs: jobs, spares: par.NewSpares[[]byte](jobs)}
}

// Write appends b to the current piece, and encodes each piece that is full.
func (p *parts) Write(b []byte) (n int, err error) {
	for len(b) > 0 {
		if p.piece == nil {
			p.piece = (*p.spares.Get())[:0]
		}
		k := min(len(b), p.size-len(p.piece))
		p.piece = append(p.piece, b[:k]...)
		n, b = n+k, b[k:]
		if len(p.piece) == p.size {
			if err := p.encodePiece(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// encodePiece encodes and writes the current piece, in other goroutines if jobs is more than 1.
func (p *parts) encodePiece() error {
	piece := p.piece
	p.begun = true
	if p.jobs <= 1 {
		p.piece = piece[:0]
		return p.writePiece(p.encode((*p.spares.Get())[:0], piece))
	}
	p.piece = nil
	if p.queue == nil {
		p.queue, p.done = make(chan chan []byte, p.jobs-1), make(chan struct{})
		go func() { // write the encoded pieces; after an error, only drain the queue
			for result := range p.queue {
				b := <-result
				if p.failed.Load() == nil {
					if err := p.writePiece(b); err != nil {
						p.failed.Store(&err)
					}
				}
			}
			close(p.done)
		}()
	}
	result := make(chan []byte, 1)
	p.queue <- result
	go func() {
		result <- p.encode((*p.spares.Get())[:0], piece)
		p.spares.Put(&piece)
	}()
	return p.err()
}

// writePiece writes an encoded piece and makes its buffer available again.
func (p *parts) writePiece(b []byte) error {
	_, err := p.w.Write(b)
	p.spares.Put(&b)
	return err
}

func (p *parts) err() error {
	if err := p.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Close writes the last piece and waits until all pieces are written. For an empty stream it writes
// one empty piece, so that the output is valid.
func (p *parts) Close() error {
	var err error
	if len(p.piece) > 0 || !p.begun {
		err = p.encodePiece()
	}
	if p.queue == nil {
		return err
	}
	close(p.queue)
	<-p.done
	return p.err()
}
