package pages

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/rle"
)

// plainHybrid decodes a hybrid value by value, bit by bit, as the format describes it. ok is false
// if the hybrid is incomplete.
func plainHybrid(b []byte, width, n int) (values []uint32, ok bool) {
	for len(values) < n {
		head, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, false
		}
		b = b[k:]
		count := int(head >> 1)
		if head>>1 > uint64(n+slack) {
			return nil, false
		}
		if head&1 == 0 {
			size := (width + 7) / 8
			if size > len(b) {
				return nil, false
			}
			v := uint32(0)
			for i := range size {
				v |= uint32(b[i]) << (8 * i)
			}
			for range count {
				values = append(values, v)
			}
			b = b[size:]
			continue
		}
		if count*width > len(b) {
			return nil, false
		}
		for i := range count * 8 {
			v := uint32(0)
			for k := range width {
				bit := i*width + k
				v |= uint32(b[bit/8]>>(bit%8)&1) << k
			}
			values = append(values, v)
		}
		b = b[count*width:]
	}
	return values[:n], true
}

// compareHybrid checks that hybrid.count agrees with the values that plainHybrid decodes.
func compareHybrid(t *testing.T, b []byte, width, n int, largest uint32) {
	t.Helper()
	got, ok := (&hybrid{b, width, n}).count(largest)
	values, whole := plainHybrid(b, width, n)
	want := 0
	for _, v := range values {
		if v > largest {
			whole = false
		}
		if v == largest {
			want++
		}
	}
	if ok && (!whole || got != want) {
		t.Errorf("%x, %d of width %d, at most %d: %d, want %d, %v", b, n, width, largest, got, want, whole)
	}
}

func TestHybrid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		width := 1 + i%8
		levels := make([]byte, 1+rnd.IntN(300))
		largest := uint32(rnd.IntN(1<<width-1) + 1)
		if width == 1 {
			largest = 1
		}
		for i, v := 0, byte(0); i < len(levels); i++ {
			if rnd.IntN(6) == 0 {
				v = byte(rnd.UintN(uint(largest) + 1))
			}
			levels[i] = v
		}
		b, err := (&rle.Encoding{BitWidth: width}).EncodeLevels(nil, levels)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := (&hybrid{b, width, len(levels)}).count(largest)
		if want := bytes.Count(levels, []byte{byte(largest)}); !ok || got != want {
			t.Fatalf("%v of width %d: %d, %v, want %d of %d", levels, width, got, ok, want, largest)
		}
		compareHybrid(t, b, width, len(levels), largest)
	}
}

func FuzzHybrid(f *testing.F) {
	f.Add([]byte{8, 1, 3, 0x55}, 1, 12, uint32(1))
	f.Add([]byte{3, 0x88, 0xc6, 0xfa}, 3, 8, uint32(7))
	f.Add([]byte{3, 0x30}, 1, 8, uint32(0))
	f.Fuzz(func(t *testing.T, b []byte, width, n int, largest uint32) {
		width, n = 1+int(uint(width)%8), int(uint(n)%5000)
		compareHybrid(t, b, width, n, largest%(1<<width))
	})
}

func TestHybridClaims(t *testing.T) {
	for name, b := range map[string][]byte{
		"a run":        {0xfe, 0xff, 0xff, 0xff, 0x0f, 1},
		"behind":       {16, 1, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1},
		"packed":       {0xff, 0xff, 0xff, 0xff, 0x0f, 1},
		"a long head":  bytes.Repeat([]byte{0xff}, 20),
		"values short": {3},
		"nothing":      {},
	} {
		if _, ok := (&hybrid{b, 1, 8}).count(1); ok {
			t.Error(name, "is right")
		}
	}
}
