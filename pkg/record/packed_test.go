package record

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packedFiles maps the files in testdata/packed, which gzip, zstd, pzstd, bzip2 and xz wrote, to the
// number of proper prefixes that are complete files: an empty one, and those that end after a member
// or after zeros that follow it.
var packedFiles = map[string]int{
	"one.gz": 1, "two.gz": 2, "one.zst": 1, "two.zst": 2, "skip.zst": 2, "one.bz2": 1, "two.bz2": 2, "one.xz": 1, "two.xz": 3, "blocks.xz": 1,
}

// packedText returns the lines of a file: twelve for each member.
func packedText(name string) (lines []string) {
	for member := 1; member == 1 || member == 2 && !strings.HasPrefix(name, "one") && name != "skip.zst"; member++ {
		for n := 1; n <= 12; n++ {
			lines = append(lines, fmt.Sprintf(`{"n": %d, "member": %d}`, n, member))
		}
	}
	return lines
}

// readPacked returns the lines of a file with the given content.
func readPacked(t *testing.T, name string, content []byte, opt Options) (lines []string, err error) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
	rd, err := NewReader(Input{Names: []string{name}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	for {
		if err = rd.Next(&b); err != nil {
			break
		}
		b.Decode()
		for _, rec := range b.Records {
			if rec.Err != nil {
				return lines, rec.Err
			}
			lines = append(lines, string(rec.Raw))
		}
	}
	if err.Error() == "EOF" {
		err = nil
	}
	return lines, err
}

// TestPacked checks that no prefix of a compressed file and no file with one flipped bit is read as
// other lines: the result is an error or the right lines.
func TestPacked(t *testing.T) {
	for name, complete := range packedFiles {
		whole, err := os.ReadFile(filepath.Join("testdata", "packed", name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		want := packedText(name)
		options := []Options{{}, {Lines: true, Sealed: true}}
		for _, opt := range options {
			if got, err := readPacked(t, file, whole, opt); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: %v: %q", name, err, got)
			}
			accepted := 0
			for n := range whole {
				got, err := readPacked(t, file, whole[:n], opt)
				if err != nil {
					continue
				}
				if accepted++; len(got)%12 != 0 || !slices.Equal(got, want[:len(got)]) {
					t.Errorf("%s: %d of %d bytes, no error: %q", name, n, len(whole), got)
				}
			}
			if opt.Sealed {
				accepted++ // a list of 0 bytes is truncated; a dataset of 0 bytes has no records
			}
			if accepted != complete {
				t.Errorf("%s: %d prefixes are accepted, want %d", name, accepted, complete)
			}
		}
		if !slices.Contains([]string{"one.gz", "one.bz2", "skip.zst", "blocks.xz"}, name) {
			continue // the other files of the format have the same parts
		}
		for bit := range len(whole) * 8 {
			flipped := bytes.Clone(whole)
			flipped[bit/8] ^= 1 << (bit % 8)
			if got, err := readPacked(t, file, flipped, options[bit%2]); err == nil && !slices.Equal(got, want) {
				t.Errorf("%s: bit %d flipped, no error: %q", name, bit, got)
			}
		}
	}
}

// TestPackedZeros checks that zeros after a member are ignored, and that other bytes there are not.
func TestPackedZeros(t *testing.T) {
	for name := range packedFiles {
		whole, err := os.ReadFile(filepath.Join("testdata", "packed", name))
		if err != nil {
			t.Fatal(err)
		}
		file, want := filepath.Join(t.TempDir(), name), packedText(name)
		for _, n := range []int{1, 2, 3, 4, 512, 10240} {
			padded := append(bytes.Clone(whole), make([]byte, n)...)
			got, err := readPacked(t, file, padded, Options{})
			ignored := strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".bz2") || strings.HasSuffix(name, ".xz") && n%4 == 0
			if ignored != (err == nil) || ignored && !slices.Equal(got, want) {
				t.Errorf("%s and %d zeros: %v: %q", name, n, err, got)
			}
			if _, err := readPacked(t, file, append(padded, "other"...), Options{}); err == nil {
				t.Errorf("%s, %d zeros and other bytes: no error", name, n)
			}
		}
		if _, err := readPacked(t, file, append(bytes.Clone(whole), "other bytes"...), Options{}); err == nil {
			t.Errorf("%s and other bytes: no error", name)
		}
	}
}

// TestPackedAgain checks that a second member after zeros is read.
func TestPackedAgain(t *testing.T) {
	for _, name := range []string{"one.gz", "one.bz2"} {
		whole, err := os.ReadFile(filepath.Join("testdata", "packed", name))
		if err != nil {
			t.Fatal(err)
		}
		twice := slices.Concat(whole, make([]byte, 100), whole)
		got, err := readPacked(t, filepath.Join(t.TempDir(), name), twice, Options{})
		if want := append(packedText(name), packedText(name)...); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v: %q", name, err, got)
		}
	}
}

// TestPackedHeader checks that a stream that ends in the header of a second member is an error.
func TestPackedHeader(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("testdata", "packed", "one.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 12; n++ {
		got, err := readPacked(t, filepath.Join(t.TempDir(), "two.gz"), append(bytes.Clone(whole), whole[:n]...), Options{})
		if err == nil || !strings.HasSuffix(err.Error(), "truncated compressed file: unexpected EOF") {
			t.Errorf("%d bytes: %v: %q", n, err, got)
		}
	}
}

// TestContinuation checks that package bzip2 still reports bytes after a stream with errContinuation.
func TestContinuation(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("testdata", "packed", "one.bz2"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = new(bytes.Buffer).ReadFrom(bzip2.NewReader(bytes.NewReader(append(whole, 0, 0))))
	if err != errContinuation {
		t.Errorf("%v", err)
	}
}

// TestHintNames checks that hints quote the names of files for the shell.
func TestHintNames(t *testing.T) {
	for name, want := range map[string]string{"a b'c": ` 'a b'\''c'`, "-x": " ./-x", "plain": " plain", "<stdin>": ""} {
		if got := shellName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestForeignPacking checks that compression formats that cannot be read are named.
func TestForeignPacking(t *testing.T) {
	for magic, want := range map[string]string{
		"\x04\x22\x4d\x18\x64\x40\xa7": "lz4", "\xff\x06\x00\x00sNaPpY\x01": "snappy", "\x5d\x00\x00\x80\x00\xff": "lzma", "\x1f\x9d\x90": "compress",
	} {
		_, err := readPacked(t, filepath.Join(t.TempDir(), "x"), []byte(magic), Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", magic, err)
		}
	}
}
