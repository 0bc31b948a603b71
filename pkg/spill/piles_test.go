package spill

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
)

// FuzzPiles checks that Piles give the same results as plain slices.
func FuzzPiles(f *testing.F) {
	f.Add(uint64(1), uint16(0), uint32(8<<10))
	f.Add(uint64(2), uint16(500), uint32(1<<20))
	f.Add(uint64(3), uint16(40_000), uint32(1<<16))
	f.Add(uint64(4), uint16(300), uint32(1))
	f.Fuzz(func(t *testing.T, seed uint64, longest uint16, mem uint32) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := NewPiles(3, int64(mem))
		var want [3][]byte
		for range 60 {
			piece := make([]byte, r.IntN(int(longest)+1))
			for i := range piece {
				piece[i] = byte(r.Uint32())
			}
			number, cut := r.IntN(3), r.IntN(len(piece)+1)
			if err := p.Add(number, piece[:cut], piece[cut:]); err != nil {
				t.Fatal(err)
			}
			want[number] = append(want[number], piece...)
		}
		for i := range want {
			var copied bytes.Buffer
			if n, err := p.Copy(&copied, i); err != nil || n != int64(len(want[i])) || !bytes.Equal(copied.Bytes(), want[i]) {
				t.Fatalf("copy of pile %d: %d bytes, %v, want %d", i, n, err, len(want[i]))
			}
			got, err := p.Take(i, []byte("before"))
			if err != nil || string(got) != "before"+string(want[i]) {
				t.Fatalf("pile %d: %d bytes, %v, want %d", i, len(got)-6, err, len(want[i]))
			}
			if again, err := p.Take(i, nil); len(again) > 0 || err != nil {
				t.Fatalf("pile %d again: %d bytes, %v", i, len(again), err)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestPilesMemory checks that Piles write nothing to disk if all pieces fit into memory, and
// otherwise keep within the memory limit.
func TestPilesMemory(t *testing.T) {
	piece := make([]byte, pileBlock/2)
	for _, tc := range []struct{ mem, spilled int64 }{{1 << 30, 0}, {100 * pileBlock, 400 * pileBlock}} {
		p := NewPiles(5, tc.mem)
		for i := range 1000 {
			if err := p.Add(i%5, piece); err != nil {
				t.Fatal(err)
			}
		}
		if p.Spilled() != tc.spilled {
			t.Errorf("mem %d: %d spilled, want %d", tc.mem, p.Spilled(), tc.spilled)
		}
	}
}

func TestPilesErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	p, err := NewPiles(1, 0), error(nil)
	for range 10 {
		err = errors.Join(err, p.Add(0, make([]byte, bufferSize)))
	}
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a scratch directory: %v", err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	p = NewPiles(1, 0)
	if err := p.Add(0, make([]byte, 4*bufferSize)); err != nil {
		t.Fatal(err)
	}
	p.log.files[0].Truncate(100)
	if got, err := p.Take(0, nil); err == nil {
		t.Errorf("a file that has lost bytes: %d bytes and no error", len(got))
	}
}

func BenchmarkPiles(b *testing.B) {
	piece := bytes.Repeat([]byte{1}, 48)
	b.SetBytes(int64(len(piece)))
	b.ReportAllocs()
	p := NewPiles(512, 64<<20)
	for i := 0; b.Loop(); i++ {
		p.Add(i*0x9e37&511, piece)
	}
}
