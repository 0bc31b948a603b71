package digest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

// A vector is one line of digest.tsv: the name of the hash function, its key in hex or "-", the
// quoted text, and the sum of the text.
type vector struct {
	name, sum string
	hash      Hash
	text      []byte
}

func vectors(t *testing.T) (all []vector) {
	content, err := os.ReadFile("../../testdata/vectors/digest.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		if line[0] == '#' {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		v := vector{name: c[0], sum: c[3]}
		if c[1] != "-" {
			key, _ := hex.DecodeString(c[1])
			if v.hash, err = Keyed(key); err != nil {
				t.Fatal(line, err)
			}
		}
		text, err := strconv.Unquote(c[2])
		if err != nil {
			t.Fatal(line, err)
		}
		v.text = []byte(text)
		all = append(all, v)
	}
	return all
}

func TestVectors(t *testing.T) {
	all := vectors(t)
	if len(all) < 10 {
		t.Fatalf("%d known answers", len(all))
	}
	for _, v := range all {
		if got := string(v.hash.Sum(v.text).AppendHex(nil)); got != v.sum {
			t.Errorf("%s of %q is %s, want %s", v.name, v.text, got, v.sum)
		}
		if v.hash.String() != v.name {
			t.Errorf("a hash is named %s, want %s", v.hash, v.name)
		}
	}
}

// TestStream checks that a stream returns the same sum for pieces of any size.
func TestStream(t *testing.T) {
	keyed, _ := Keyed(testKey)
	text := bytes.Repeat([]byte("It was the best of times, it was the worst of times. "), 20)
	for _, h := range []Hash{{}, keyed} {
		s := h.NewStream()
		for chunk := 1; chunk <= len(text); chunk += 1 + chunk/8 {
			s.Reset()
			for rest := text; len(rest) > 0; {
				n, _ := s.Write(rest[:min(chunk, len(rest))])
				rest = rest[n:]
			}
			if got, want := s.Sum(), h.Sum(text); got != want {
				t.Errorf("%s in pieces of %d: %x, want %x", h, chunk, got, want)
			}
		}
	}
}

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	for n, ok := range map[int]bool{0: false, KeySize - 1: false, KeySize: true, KeySize + 1: false, 1 << 16: false} {
		name := filepath.Join(dir, fmt.Sprint(n))
		key := bytes.Repeat([]byte{7}, n)
		if err := os.WriteFile(name, key, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadKey(name)
		if (err == nil) != ok || ok && !bytes.Equal(got, key) || err != nil && !strings.Contains(err.Error(), "invalid key: want 32 bytes, found ") {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
		if _, err := Keyed(key); (err == nil) != ok {
			t.Errorf("%d bytes of key: %v", n, err)
		}
	}
	for _, bad := range []string{filepath.Join(dir, "none"), dir, "/dev/zero"} {
		if _, err := ReadKey(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	if key, err := ReadKey(""); key != nil || err != nil {
		t.Error(key, err)
	}
}

// FuzzHex checks AppendHex and ParseHex against package fmt.
func FuzzHex(f *testing.F) {
	f.Add(uint64(0x0123456789abcdef), uint64(0xfedcba9876543210), "0123456789abcdef")
	f.Add(uint64(0), ^uint64(0), "0123456789ABCDEF")
	f.Fuzz(func(t *testing.T, hi, lo uint64, text string) {
		s := Sum{hi, lo}
		digits := s.AppendHex([]byte("x"))
		if want := fmt.Sprintf("x%016x%016x", hi, lo); string(digits) != want {
			t.Errorf("%s, want %s", digits, want)
		}
		if got, err := Parse(digits[1:]); got != s || err != nil {
			t.Error(got, err)
		}
		if got, want := string(AppendHex(nil, lo, 8)), fmt.Sprintf("%08x", uint32(lo)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		v, ok := ParseHex([]byte(text))
		if want := len(text) > 0 && fmt.Sprintf("%0*x", len(text), v) == text && len(text) <= 16; ok != want {
			t.Errorf("%q: %x, %v", text, v, ok)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	for _, bad := range []string{"", "0", strings.Repeat("0", 31), strings.Repeat("0", 33), strings.Repeat("g", 32), strings.Repeat("0", 31) + "A"} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	keyed, _ := Keyed(testKey)
	text := make([]byte, 3*4096)
	for _, h := range []Hash{{}, keyed} {
		b.Run(h.String(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				h.Sum(text)
			}
		})
	}
}

// TestMix compares Mix with splitmix64, a generator that adds a constant to its state and mixes
// the sum. The expected outputs for the seed 1234567 come from Vigna's reference implementation
// in C.
func TestMix(t *testing.T) {
	state := uint64(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		state += 0x9e3779b97f4a7c15
		if got := Mix(state); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}
