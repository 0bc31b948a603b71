package spill

import (
	"slices"
	"sort"
)

// Partitions store runs (slices) of words in numbered partitions, in the order of insertion, in
// bounded memory. When the words in memory reach the limit, Add appends all of them to a log, with
// one segment per partition. So a partition is read back in a few long pieces, even if other runs
// were added between its runs.
//
// Cost: Add copies the words to memory, and copies them to disk when the memory is needed for later
// words. Each run in memory takes 32 additional bytes, and each segment 16 bytes. Partitions are
// not safe for concurrent use until all runs are added. After that, several goroutines may read
// them at the same time.
type Partitions struct {
	parts []partition
	slabs Slabs
	left  int // number of words that still fit into memory
	limit int
	log   Log
}

// A partition is a list of runs. The earlier runs are on disk, and the later runs are in memory.
type partition struct {
	len  int64 // number of words
	segs []segment
	disk int64 // number of words in segs
	runs []run
}

// A run is a slice of words in memory, with its offset in the partition.
type run struct {
	at    int64
	words []uint64
}

// NewPartitions returns n partitions that together hold about mem bytes in memory.
func NewPartitions(n int, mem int64) *Partitions {
	limit := int(mem / 8)
	return &Partitions{parts: make([]partition, n), left: limit, limit: limit}
}

// Add appends a copy of a run to a partition. It returns the offset of the run in the partition, in
// words.
func (p *Partitions) Add(number int, words []uint64) (at int64, err error) {
	if len(words) > p.left && p.left < p.limit {
		if err := p.spill(); err != nil {
			return 0, err
		}
	}
	part := &p.parts[number]
	at = part.len
	part.len += int64(len(words))
	part.runs = append(part.runs, run{at, p.slabs.Hold(words)})
	p.left -= len(words)
	return at, nil
}

// spill appends all runs in memory to the log.
func (p *Partitions) spill() error {
	for i := range p.parts {
		part := &p.parts[i]
		if len(part.runs) == 0 {
			continue
		}
		part.segs = append(part.segs, segment{p.log.Len(), part.len - part.disk})
		for _, r := range part.runs {
			if _, err := p.log.Write(bytesOf(r.words)); err != nil {
				return err
			}
		}
		clear(part.runs)
		part.runs, part.disk = part.runs[:0], part.len
	}
	p.left = p.limit
	p.slabs.releaseAll()
	return nil
}

// Spilled returns the number of bytes written to disk.
func (p *Partitions) Spilled() int64 { return p.log.Len() }

// Close closes the scratch file.
func (p *Partitions) Close() error { return p.log.Close() }

// Open returns a partition for reading in one goroutine. If the words on disk take at most mem
// bytes, Open reads all of them, into buf if buf is large enough. Otherwise Words reads from disk.
func (p *Partitions) Open(number int, mem int64, buf []uint64) (*Partition, error) {
	v := &Partition{part: &p.parts[number], log: &p.log}
	if 8*v.part.disk > mem {
		return v, nil
	}
	v.loaded = slices.Grow(buf[:0], int(v.part.disk))[:v.part.disk]
	return v, v.readWords(v.loaded, 0)
}

// A Partition reads the words of one partition.
type Partition struct {
	part   *partition
	log    *Log
	loaded []uint64 // copy of the words that are on disk; nil if Open did not read them
}

// Buffer returns the memory of v. When v is no longer needed, the memory can be passed as buf to
// the next Open.
func (v *Partition) Buffer() []uint64 { return v.loaded }

// Words returns n words of the partition, beginning at the given offset. If it must read them from
// disk, it reads them into buf. The second result is buf, perhaps enlarged, for the next call.
func (v *Partition) Words(at int64, n int, buf []uint64) (words, _ []uint64, err error) {
	switch {
	case n == 0:
		return nil, buf, nil
	case at >= v.part.disk:
		i := sort.Search(len(v.part.runs), func(i int) bool { return v.part.runs[i].at > at }) - 1
		r := v.part.runs[i]
		return r.words[at-r.at:][:n:n], buf, nil
	case int64(len(v.loaded)) == v.part.disk:
		return v.loaded[at:][:n:n], buf, nil
	}
	buf = slices.Grow(buf[:0], n)[:n]
	return buf, buf, v.readWords(buf, at)
}

// Len returns the number of words of the partition.
func (v *Partition) Len() int64 { return v.part.len }

// Each calls fn with all words of the partition, in pieces. A piece is valid until fn returns.
func (v *Partition) Each(fn func(words []uint64)) error {
	var buf []uint64
	for at := int64(0); at < v.part.disk; {
		n := min(slabWords, v.part.disk-at)
		words, b, err := v.Words(at, int(n), buf)
		if err != nil {
			return err
		}
		fn(words)
		at, buf = at+n, b
	}
	for _, r := range v.part.runs {
		fn(r.words)
	}
	return nil
}

// readWords fills dst with words from disk, beginning at the given offset in the partition.
func (v *Partition) readWords(dst []uint64, at int64) error {
	for _, s := range v.part.segs {
		if at >= s.n {
			at -= s.n
			continue
		}
		n := min(int64(len(dst)), s.n-at)
		if _, err := v.log.ReadAt(bytesOf(dst[:n]), s.first+8*at); err != nil {
			return err
		}
		if dst, at = dst[n:], 0; len(dst) == 0 {
			break
		}
	}
	return nil
}
