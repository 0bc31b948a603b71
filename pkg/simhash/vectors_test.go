package simhash

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// vectors returns the rows of a file of known answers. To compute the answers, features were hashed
// with the reference implementations of CityHash 1.1 in C++ and of xxHash in C, and votes were
// counted with one counter per bit.
func vectors(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	if len(rows) < 20 {
		t.Fatalf("%s has only %d rows", name, len(rows))
	}
	return rows
}

var unescape = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\\`, `\`).Replace

func TestCityVectors(t *testing.T) {
	for _, row := range vectors(t, "city.tsv") {
		text := []byte(unescape(row[0]))
		for i, sum := range []func([]byte) Hash{city32, city64, city128} {
			if got := string(sum(text).AppendHex(nil, 32<<i)); got != row[1+i] {
				t.Errorf("CityHash%d(%q) = %s, want %s", 32<<i, text, got, row[1+i])
			}
		}
	}
}

func TestSimhashVectors(t *testing.T) {
	for _, row := range vectors(t, "simhash.tsv") {
		bits, _ := strconv.Atoi(row[1])
		grams, _ := strconv.Atoi(row[2])
		s := signerOf(t, options{Bits: bits, Grams: grams, Hash: Func(row[0])})
		got, _ := s.sum([]byte(unescape(row[4])))
		if hex := string(got.AppendHex(nil, bits)); hex != row[3] {
			t.Errorf("%v: got %s", row, hex)
		}
		want, width, err := ParseHex(row[3])
		if want != got || width != bits || err != nil {
			t.Errorf("ParseHex(%s) = %v, %d, %v", row[3], want, width, err)
		}
	}
}

func TestParseHexRefuses(t *testing.T) {
	for _, s := range []string{"", "-", "0", "0123456", "0123456g", "-1234567", "+1234567", "0_123456", strings.Repeat("0", 31) + "x", strings.Repeat("0", 33)} {
		if _, _, err := ParseHex(s); err == nil {
			t.Errorf("ParseHex(%q): no error", s)
		}
	}
}
