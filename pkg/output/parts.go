package output

import (
	"bufio"
	"io"
	"sync"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/spill"
)

// Parts writes a file of several parts and the index of that file. Each part is a sequence of lines
// that is compressed separately. Until Close is called, the compressed lines are kept in memory, or,
// beyond partsMemory bytes, in a scratch file.
type Parts struct {
	file, index *bufio.Writer
	mu          sync.Mutex // guards piles, to which the compressor goroutines of all parts write
	piles       *spill.Piles
	all         []io.WriteCloser // compress the lines of each part and write them to its pile
}

const partsMemory = 64 << 20

// CreateParts creates a file of n parts with the given name, and the index of that file.
func (o *Set) CreateParts(n int, name string, packing dataform.Packing) (*Parts, error) {
	p := &Parts{piles: spill.NewPiles(n, partsMemory)}
	err := dataform.CheckLines(name)
	if err == nil {
		p.file, err = o.Create(name, dataform.Packing{})
	}
	if err == nil {
		p.index, err = o.Create(record.IndexName(name), dataform.Packing{})
	}
	packing.Among = n
	for i := 0; i < n && err == nil; i++ {
		var pack io.WriteCloser
		pack, err = write.Compress(pile{p, i}, packing)
		p.all = append(p.all, pack)
	}
	return p, err
}

// Write writes lines to a part. Parts are numbered from 0. Different parts may be written
// concurrently.
func (p *Parts) Write(part int, lines []byte) error {
	_, err := p.all[part].Write(lines)
	return err
}

// Close writes the file and its index. If err, the error that ended the run, is not nil, Close only
// releases the memory and the scratch file. It returns the first error.
func (p *Parts) Close(err error) error {
	sizes := make([]int64, len(p.all))
	for i, one := range p.all {
		if cerr := one.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			sizes[i], err = p.piles.Copy(p.file, i)
		}
	}
	if err == nil {
		err = record.WriteIndex(p.index, sizes)
	}
	if cerr := p.piles.Close(); err == nil {
		err = cerr
	}
	return err
}

// A pile is an io.Writer that buffers the compressed lines of one part.
type pile struct {
	*Parts
	number int
}

func (p pile) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(b), p.piles.Add(p.number, b)
}
