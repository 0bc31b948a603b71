package corpus

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"doppel/pkg/passage"
	"doppel/pkg/passage/internal/texts"
)

// overtaken is a corpus of which every second batch of records is processed after the next one, if
// two goroutines process them.
type overtaken memory

// A lateBatch waits for the second batch after it, which begins after the batch between them was
// processed.
type lateBatch struct {
	memory
	begun, wait chan struct{}
}

func (b lateBatch) Texts() ([][]byte, error) {
	close(b.begun)
	if b.wait != nil {
		<-b.wait
	}
	return b.memory, nil
}

func (o overtaken) open() (func() (Batch, error), error) {
	var batches []lateBatch
	for texts := range slices.Chunk(o, 3) {
		batches = append(batches, lateBatch{memory: memory(texts), begun: make(chan struct{})})
	}
	at := -1
	return func() (Batch, error) {
		if at++; at == len(batches) {
			return nil, io.EOF
		}
		if at%2 == 0 && at+2 < len(batches) {
			batches[at].wait = batches[at+2].begun
		}
		return batches[at], nil
	}, nil
}

// TestOvertaken checks that the repeats do not depend on the order in which workers add runs, with
// and without values, and with records that precede those of Scan.
func TestOvertaken(t *testing.T) {
	corpus, preceding := memory(texts.Source(t, 100_000)), memory(texts.Source(t, 5000))
	all := slices.Concat(preceding, corpus)
	value := func(record int) uint32 { return uint32(record*7) % 3 }
	for _, o := range []Options{{}, {Value: value}, {Value: value, Across: true}} {
		for _, mem := range []int64{1 << 16, 1 << 28} {
			o.Scheme, o.Rule, o.Mem, o.Jobs = scheme(40, 15), first, mem, 1
			want, _ := find(t, o, all)
			o.Jobs = 2
			f, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			signer, err := passage.NewSigner(o.Scheme)
			for i, text := range preceding {
				for runs := range signer.Each(text) {
					for _, r := range runs {
						err = errors.Join(err, f.Add(i, r))
					}
				}
			}
			f.Precede(len(preceding))
			var got []passage.Repeat
			err = errors.Join(err, f.Scan(overtaken(corpus).open))
			if len(f.records.shifts) < 2 {
				t.Errorf("%d batches", len(f.records.shifts))
			}
			err = errors.Join(err, f.Find(all.open, func(r passage.Repeat) error { got = append(got, r); return nil }), f.Close())
			if err != nil {
				t.Fatal(err)
			}
			if f.records.shifts[0].by == 0 {
				t.Error("no batch was overtaken")
			}
			compare(t, fmt.Sprint("across ", o.Across, " mem ", mem), got, want)
		}
	}
}

// TestNumbering checks positions before, at and between the provisional numbers of batches.
func TestNumbering(t *testing.T) {
	var n numbering
	n.next.Store(10)
	a, b, c := n.take(4), n.take(3), n.take(0) // b precedes a
	n.place(b, 10)
	n.place(a, 13)
	n.place(c, 17)
	n.settle()
	for provisional, want := range map[int]int{0: 0, 9: 9, 10: 13, 13: 16, 14: 10, 16: 12} {
		runs := []runEntry{{5, position(provisional, 1<<32-1)}}
		if n.number(runs); runs[0] != (runEntry{5, position(want, 1<<32-1)}) {
			t.Errorf("%d: %d, want %d", provisional, recordOf(runs[0][1]), want)
		}
	}
}

// badBatch fails while other batches are processed.
type badBatch struct{ memory }

func (badBatch) Texts() ([][]byte, error) { return nil, errors.New("bad") }

// TestCloseWhileScanning lets Scan return an error while other workers still add runs.
func TestCloseWhileScanning(t *testing.T) {
	corpus := memory(texts.Source(t, 100_000))
	for _, mem := range []int64{1 << 12, 1 << 28} {
		for range 10 {
			f, err := New(Options{Scheme: scheme(20, 9), Rule: first, Mem: mem, Jobs: 8})
			if err != nil {
				t.Fatal(err)
			}
			err = f.Scan(func() (func() (Batch, error), error) {
				next, err := corpus.open()
				n := 0
				return func() (Batch, error) {
					if n++; n == 3 {
						return badBatch{}, nil
					}
					return next()
				}, err
			})
			if err == nil {
				t.Error("a batch that cannot be read: no error")
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestRuler checks that marks are between 1 and 2 times markEvery runs apart, however the runs are
// divided into batches.
func TestRuler(t *testing.T) {
	for _, size := range []int{1, 100, markEvery, 3*markEvery + 500} {
		var r ruler
		for total := 0; total < 20*markEvery; total += size {
			var marks []uint64
			for at := 0; at < size; at += markEvery {
				marks = append(marks, uint64(at))
			}
			r.addAll(marks, uint64(total), size)
		}
		for i, m := range r.marks[1:] {
			if gap := m - r.marks[i]; gap < markEvery || gap > 2*markEvery {
				t.Errorf("batches of %d: marks %d and %d", size, r.marks[i], m)
			}
		}
		if len(r.marks) < 10 || r.marks[0] != 0 {
			t.Errorf("batches of %d: %v", size, r.marks)
		}
	}
}
