package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestQuirks checks that each entry in quirks.go names an existing test.
func TestQuirks(t *testing.T) {
	var tests strings.Builder
	for _, pattern := range []string{"*_test.go", "../*_test.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(b)
		}
	}
	b, err := os.ReadFile("quirks.go")
	if err != nil {
		t.Fatal(err)
	}
	entries := regexp.MustCompile(`(?m)^//\t\d+\.\d+ `).Split(string(b), -1)[1:]
	if len(entries) < 10 {
		t.Errorf("%d entries", len(entries))
	}
	for _, entry := range entries {
		entry, _, _ = strings.Cut(entry, "\n\n")
		found := false
		for _, name := range regexp.MustCompile(`\b(Test|Fuzz|Benchmark)\w+`).FindAllString(entry, -1) {
			if found = strings.Contains(tests.String(), "func "+name+"("); !found {
				t.Errorf("no %s", name)
			}
		}
		if !found || !strings.Contains(entry, "Goes") {
			t.Errorf("no test, or no end: %s", entry)
		}
	}
}
