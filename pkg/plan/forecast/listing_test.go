package forecast

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadListing(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "{0 0 0}",
		"5 a.zst\n7 b/c.zst\n":               "{2 12 12}",
		"5\ta name.zst":                      "{1 5 10}",
		"0 a.zst\n":                          "{1 0 5}",
		"   12  a.zst\r\n":                   "{1 12 5}",
		"2024/01/02 03:04:05 9 a.zst":        "{1 9 5}",
		"2024-01-02 03:04:05 9 a b.zst":      "{1 9 7}",
		"2024-01-02 9 a.zst":                 "{0 0 0} 1: invalid line \"2024-01-02 9 a.zst\": want a size in bytes and a name",
		"                PRE b/":             "{0 0 0} 1: invalid line \"                PRE b/\": want a size in bytes and a name",
		"1 a.gz\n\n":                         "{1 1 4} 2: invalid line \"\": want a size in bytes and a name",
		"5":                                  "{0 0 0} 1: invalid line \"5\": want a size in bytes and a name",
		"-5 a.zst":                           "{0 0 0} 1: invalid line \"-5 a.zst\": want a size in bytes and a name",
		"4.0K a.zst":                         "{0 0 0} 1: invalid line \"4.0K a.zst\": want a size in bytes and a name",
		"9223372036854775807 a.zst\n1 b.zst": "{1 -9223372036854775808 5} 2: more than 2^63 bytes in total",
		strings.Repeat("x", 2<<20):           "{0 0 0} 1: bufio.Scanner: token too long",
	} {
		got, err := ReadListing(strings.NewReader(text), []string{".zst", ".gz"})
		line := fmt.Sprint(got)
		if err != nil {
			line += " " + err.Error()
		}
		if line != want {
			t.Errorf("%.50q: %s, want %s", text, line, want)
		}
	}
}

// FuzzReadListing checks that ReadListing returns the same result for a valid listing and for a
// copy of the listing without dates.
func FuzzReadListing(f *testing.F) {
	f.Add("5 a.zst\n2024-01-02 03:04:05 9 a b.zst\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ReadListing(strings.NewReader(text), []string{".zst"})
		if err != nil {
			return
		}
		var again strings.Builder
		for line := range strings.Lines(text) {
			size, name, ok := parseLine(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
			if !ok {
				t.Fatalf("%q is accepted", line)
			}
			fmt.Fprintf(&again, "%d %s\n", size, name)
		}
		if same, err := ReadListing(strings.NewReader(again.String()), []string{".zst"}); err != nil || same != got {
			t.Fatalf("%q: %v, and as %q %v, %v", text, got, again.String(), same, err)
		}
	})
}
