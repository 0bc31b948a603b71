package spill

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
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
		var l Log
		var want []byte
		w := l.Window(size)
		for range 10 {
			b := bytes.Repeat([]byte{byte(r.Uint32())}, int(r.Int64N(piece+100)))
			if n, err := l.Write(b); n != len(b) || err != nil {
				t.Fatal(n, err)
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
