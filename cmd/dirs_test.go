package cmd_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEqualDirectories compares random pairs of directories that hold entries of all kinds. doppel
// dirs must call them equal if and only if diff finds no difference. Otherwise it must say what
// differs.
func TestEqualDirectories(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	equal := 0
	for range 60 {
		dir := t.TempDir()
		for _, side := range []string{"a", "b"} {
			must(t, os.MkdirAll(filepath.Join(dir, side, "sub"), 0o755))
			for name, text := range map[string]string{"1": "one", "2": "two", "sub/3": "three"} {
				must(t, os.WriteFile(filepath.Join(dir, side, name), []byte(text), 0o644))
			}
		}
		for range r.IntN(4) { // most changes are made on both sides
			name, kind := fmt.Sprintf("%sx%d", []string{"", "sub/"}[r.IntN(2)], r.IntN(3)), r.IntN(12)
			for side := range 2 {
				if r.IntN(4) > 0 {
					change(filepath.Join(dir, []string{"a", "b"}[side], name), kind)
				}
			}
		}
		same := shell(t, dir, "diff -r --no-dereference a b").status == 0
		got := shell(t, dir, "doppel dirs -t .1 a b")
		line := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\t")
		if got.status != 0 || len(line) != 9 || (line[0] == "equal") != same || (line[8] == "-") != same {
			t.Fatalf("diff finds them equal: %v, but %+v\n%s", same, got, shell(t, dir, "ls -lR a b; diff -r --no-dereference a b").stdout)
		}
		if same {
			equal++
		}
	}
	if equal < 10 || equal > 50 {
		t.Errorf("%d of 60 pairs are equal, so the test says little", equal)
	}
}

// change adds an entry to a directory. Errors are ignored: then nothing is added.
func change(name string, kind int) {
	switch kind {
	case 0:
		syscall.Mkfifo(name, 0o644)
	case 1, 2:
		os.Symlink("target", name)
	case 3:
		os.Symlink("other", name)
	case 4, 5:
		os.Mkdir(name, 0o755)
	case 6, 7, 8:
		os.WriteFile(name, nil, 0o644)
	case 9:
		os.WriteFile(name, []byte("one"), 0o644)
	default:
		os.WriteFile(name, []byte("two"), 0o644)
	}
}
