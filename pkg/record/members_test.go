package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
)

// randomMembers returns a gzip stream of members with equal and with other headers, blocks of bgzip,
// stored members that contain the headers of others, empty members and zeros.
func randomMembers(r *rand.Rand) (all []byte) {
	name := []string{"", "", "name"}[r.IntN(3)]
	for range 1 + r.IntN(9) {
		text := make([]byte, r.IntN(400)*r.IntN(400))
		for i := range text {
			text[i] = byte(r.IntN(1 + i>>8%200))
		}
		level := []int{gzip.BestSpeed, gzip.NoCompression, gzip.DefaultCompression}[r.IntN(3)]
		if len(all) > 0 && r.IntN(4) == 0 { // text that has headers, which stay visible in the stream
			text, level = append(text, all[:min(len(all), 1<<17)]...), gzip.NoCompression
		}
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, level)
		if z.Name = name; r.IntN(9) == 0 {
			z.Name = "other"
		}
		block := r.IntN(2) == 0 && len(text) < 1<<16
		if block {
			z.Extra = []byte("BC\x02\x00..")
		}
		z.Write(text)
		z.Close()
		if block {
			binary.LittleEndian.PutUint16(b.Bytes()[16:], uint16(b.Len()-1))
		}
		all = append(all, b.Bytes()...)
		if r.IntN(9) == 0 {
			all = append(all, make([]byte, r.IntN(1000))...)
		}
	}
	return all
}

// damageMembers often changes, removes or adds bytes.
func damageMembers(r *rand.Rand, all []byte) []byte {
	at := r.IntN(len(all) - 1)
	switch r.IntN(8) {
	case 0:
		all[at] ^= 1 << r.IntN(8)
	case 1:
		all = all[:max(at, 1)]
	case 2:
		all = append(all, "some other bytes"[:1+r.IntN(16)]...)
	case 3: // some bytes are lost
		all = slices.Delete(all, at, min(at+r.IntN(1<<17), len(all)-1))
	}
	return all
}

// compareMembers reads a stream with and without cutting it, and compares bytes and errors.
func compareMembers(t *testing.T, stream []byte, jobs int) error {
	t.Helper()
	plain := new(gzipReader)
	plain.restart(bufio.NewReader(bytes.NewReader(stream)))
	want, wantErr := io.ReadAll(plain)
	m := newMemberReader(bufio.NewReaderSize(bytes.NewReader(stream), 1<<17), jobs)
	got, err := io.ReadAll(m)
	m.Close()
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() || !bytes.Equal(got, want) {
		t.Errorf("%d bytes and %v, want %d and %v", len(got), err, len(want), wantErr)
	}
	return err
}

// TestMembers compares a reader that cuts a gzip stream with one that does not.
func TestMembers(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 2))
		stream := damageMembers(r, randomMembers(r))
		if err := compareMembers(t, stream, r.IntN(4)); err != nil {
			kinds[err.Error()]++
		} else {
			kinds["none"]++
		}
		half := newMemberReader(bufio.NewReader(bytes.NewReader(stream)), 3)
		half.Read(make([]byte, 1))
		half.Close() // must not wait for the rest of the stream to be read
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, kind := range []string{"none", "unexpected EOF", "gzip: invalid checksum", "after the end of the compressed data, the file has other bytes"} {
		if kinds[kind] < 3 {
			t.Errorf("errors: %v", kinds)
		}
	}
}

// TestMembersCut checks that the streams of doppel and of bgzip are cut, and that the rest of a stream
// is decoded without cutting if a member is long.
func TestMembersCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	member := func(size int) []byte {
		text := make([]byte, size)
		for i := range text {
			text[i] = byte(r.IntN(4))
		}
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		z.Write(text)
		z.Close()
		return b.Bytes()
	}
	for _, c := range []struct {
		sizes  []int
		pieces int // 0 if the rest of the stream is not cut
	}{
		{[]int{1 << 20, 1 << 20, 1 << 20}, 3},
		{slices.Repeat([]int{1 << 15}, 100), 16}, // pieces of at least 64 KB
		{[]int{1 << 20, maxDecoded + 1, 1 << 20}, 0},
		{[]int{100, 1 << 20, 4*maxMembers + 1<<20}, 0},
	} {
		var stream []byte
		for _, n := range c.sizes {
			stream = append(stream, member(n)...)
		}
		compareMembers(t, stream, 3)
		m, whole := newMemberReader(bufio.NewReader(bytes.NewReader(stream)), 3), new(atomic.Int64)
		m.cutter = countingCutter{m.cutter, whole}
		io.Copy(io.Discard, m)
		if n := int(whole.Load()); (m.rest == nil) != (c.pieces > 0) || m.rest == nil && n != c.pieces {
			t.Errorf("%d members: %d pieces, want %d", len(c.sizes), n, c.pieces)
		}
		m.Close()
	}
}

// A countingCutter counts the pieces that are decoded as a whole.
type countingCutter struct {
	cutter
	whole *atomic.Int64
}

func (c countingCutter) decode(dst, packed []byte) ([]byte, error) {
	dst, err := c.cutter.decode(dst, packed)
	if err == nil {
		c.whole.Add(1)
	}
	return dst, err
}

// FuzzMembers does the same as TestMembers with other streams.
func FuzzMembers(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(randomMembers(rand.New(rand.NewPCG(seed, 3))), 3)
	}
	f.Fuzz(func(t *testing.T, stream []byte, jobs int) {
		if len(stream) > 0 {
			compareMembers(t, stream, jobs)
		}
	})
}

// TestMembersFault checks that a failure to read the stream is reported.
func TestMembersFault(t *testing.T) {
	fault := errors.New("fault")
	stream := randomMembers(rand.New(rand.NewPCG(11, 2)))
	m := newMemberReader(bufio.NewReader(io.MultiReader(bytes.NewReader(stream), iotest.ErrReader(fault))), 3)
	defer m.Close()
	if _, err := io.ReadAll(m); err != fault {
		t.Errorf("%v, want %v", err, fault)
	}
}
