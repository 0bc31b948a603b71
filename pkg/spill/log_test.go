package spill

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
)

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := Create()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Mode() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if names, err := os.ReadDir(dir); len(names) > 0 || err != nil {
		t.Error(names, err)
	}
}

func TestSmall(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	var l Log
	if _, err := l.Write(make([]byte, bufferSize)); err != nil {
		t.Error(err)
	}
	if _, err := l.Write([]byte{1}); err == nil {
		t.Error("no error without a scratch directory")
	}
}

func FuzzLog(f *testing.F) {
	f.Add(uint64(1), int64(0), int64(8<<10))
	f.Add(uint64(2), int64(bufferSize), int64(0))
	f.Add(uint64(3), int64(2*bufferSize), int64(bufferSize))
	f.Fuzz(func(t *testing.T, seed uint64, piece, size int64) {
		if piece < 0 || piece > 1<<20 || size < 0 || size > 1<<20 {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 1))
		l := Log{Files: r.IntN(4)}
		var want []byte
		w := l.Window(size)
		for range 10 {
			b := bytes.Repeat([]byte{byte(r.Uint32())}, int(r.Int64N(piece+100)))
			if r.IntN(2) == 0 {
				if n, err := l.Write(b); n != len(b) || err != nil {
					t.Fatal(n, err)
				}
			} else if at, err := l.Extend(int64(len(b))); at != int64(len(want)) || err != nil {
				t.Fatal(at, err)
			} else if err := writeParts(&l, b, at); err != nil {
				t.Fatal(err)
			}
			want = append(want, b...)
			at := r.Int64N(int64(len(want)) + 1)
			n := r.Int64N(int64(len(want)) - at + 1)
			if got, err := w.Bytes(at, n); err != nil || !bytes.Equal(got, want[at:at+n]) || l.Len() != int64(len(want)) {
				t.Fatalf("%d bytes at %d of %d: %v", n, at, len(want), err)
			}
			if _, err := w.Bytes(at, l.Len()-at+1); err != io.EOF {
				t.Fatalf("one more: %v", err)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// writeParts writes b to an offset of a log, in three goroutines.
func writeParts(l *Log, b []byte, at int64) error {
	var wg sync.WaitGroup
	var errs [3]error
	for i := range errs {
		wg.Go(func() {
			from, to := len(b)*i/3, len(b)*(i+1)/3
			_, errs[i] = l.WriteAt(b[from:to], at+int64(from))
		})
	}
	wg.Wait()
	return errors.Join(errs[:]...)
}
