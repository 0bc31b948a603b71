package cmd_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRandomTrees compares doppel dirs with diff(1), and doppel files with find(1) and the bytes of all
// files, in random trees with a changed copy. The environment variable TREES sets their number.
func TestRandomTrees(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("TREES"))
	if err != nil {
		count = 60
	}
	dir := t.TempDir()
	x := startChild(t, dir)
	t.Chdir(dir)
	kinds := map[string]int{}
	for seed := range count {
		g := &grower{t, rand.New(rand.NewPCG(uint64(seed), 48))}
		g.grow("a", 0)
		must(t, exec.Command("cp", "-a", "a", "b").Run())
		for range g.IntN(3) {
			g.change("b")
		}
		roots := []string{"a", "b"}
		if g.IntN(2) == 0 {
			roots = []string{"la", "lb"}
			must(t, os.Symlink("a", "la"))
			must(t, os.Symlink("b", "lb"))
		}
		if !checkDirs(t, x, roots, kinds) || !checkFiles(t, x, roots) {
			t.Fatalf("seed %d, in %s", seed, dir)
		}
		must(t, exec.Command("rm", "-rf", "a", "b", "la", "lb").Run())
	}
	if count >= 60 && (kinds["equal"] < 5 || kinds["similar"] < 5 || kinds["within"] < 5) {
		t.Errorf("pairs of few kinds: %v", kinds)
	}
}

// A grower makes and changes random trees.
type grower struct {
	t *testing.T
	*rand.Rand
}

// content returns a text, of a few that differ in size, in one byte, or far from the blocks that are
// hashed.
func (g *grower) content() []byte {
	text := bytes.Repeat([]byte("a line of some file\n"), []int{1, 2, 40, 5000}[g.IntN(4)])
	text[len(text)*g.IntN(3)/7] = byte('A' + g.IntN(2))
	return text
}

func (g *grower) name() string {
	if g.IntN(3) == 0 {
		return oddNames[g.IntN(len(oddNames))]
	}
	return string(rune('a' + g.IntN(12)))
}

// grow makes a directory with random entries.
func (g *grower) grow(dir string, depth int) {
	must(g.t, os.Mkdir(dir, 0o755))
	var last string
	for range 1 + g.IntN(5) {
		path := dir + "/" + g.name()
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		switch kind := g.IntN(10); {
		case kind < 2 && depth < 3:
			g.grow(fmt.Sprintf("%s/d%d", dir, g.IntN(1000)), depth+1)
		case kind == 2:
			must(g.t, os.WriteFile(path, nil, 0o644))
		case kind == 3:
			must(g.t, os.Symlink(g.name(), path))
		case kind == 4 && last != "":
			must(g.t, os.Link(last, path))
		default:
			must(g.t, os.WriteFile(path, g.content(), 0o644))
			last = path
		}
	}
}

// change changes one thing below a directory, or only a mode or a time.
func (g *grower) change(dir string) {
	var all []string
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		all = append(all, path)
		return nil
	})
	path := all[g.IntN(len(all))]
	info, err := os.Lstat(path)
	must(g.t, err)
	added := filepath.Join(path, "added"+strconv.Itoa(g.IntN(3)))
	switch kind := g.IntN(4); {
	case info.IsDir() && kind == 0:
		os.Mkdir(added, 0o755)
	case info.IsDir() && kind == 1:
		syscall.Mkfifo(added, 0o644)
	case info.IsDir() && kind == 2:
		os.Symlink(g.name(), added)
	case info.IsDir():
		os.WriteFile(added, nil, 0o644)
	case kind == 0:
		os.Rename(path, path+"2")
	case kind == 1:
		os.Remove(path)
	case info.Mode().IsRegular() && kind == 2:
		must(g.t, os.Chmod(path, 0o600))
		must(g.t, os.WriteFile(path, g.content(), 0o644))
	case info.Mode().IsRegular():
		must(g.t, os.Chmod(path, 0o700))
	default:
		os.Remove(path)
		must(g.t, os.Symlink("other", path))
	}
}

// checkDirs compares each pair that doppel dirs finds with diff.
func checkDirs(t *testing.T, x *child, roots []string, kinds map[string]int) bool {
	got := x.try(t, append([]string{"dirs", "--min-files", "1", "-t", ".01"}, roots...), "")
	same := func(a, b string) bool {
		return exec.Command("diff", "-rq", "--no-dereference", a+"/.", b+"/.").Run() == nil
	}
	ok := got.Status == 0
	rootsEqual := false
	for line := range strings.Lines(got.Stdout) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		kinds[f[0]]++
		rootsEqual = rootsEqual || f[0] == "equal" && f[1] == roots[0] && f[2] == roots[1]
		if isSame := same(f[1], f[2]); isSame != (f[0] == "equal") || isSame != (f[8] == "-") {
			t.Errorf("diff finds them the same: %v, %q", isSame, line)
			ok = false
		}
	}
	if same(roots[0], roots[1]) != rootsEqual && len(groupsBelow(t, roots)) > 0 {
		t.Errorf("%s and %s are equal: %v, %+v", roots[0], roots[1], !rootsEqual, got)
		ok = false
	}
	return ok
}

// groupsBelow returns the groups of files with the same bytes that find finds, as sorted lists of
// inodes.
func groupsBelow(t *testing.T, roots []string) []string {
	list, err := exec.Command("find", append(append([]string{"-H"}, roots...), "-type", "f", "-size", "+0", "-print0")...).Output()
	must(t, err)
	groups := map[string][]string{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if name != "" {
			text, err := os.ReadFile(name)
			must(t, err)
			groups[string(text)] = append(groups[string(text)], name)
		}
	}
	var all []string
	for _, names := range groups {
		if inodes := inodesOf(t, names); strings.Contains(inodes, " ") {
			all = append(all, inodes)
		}
	}
	slices.Sort(all)
	return all
}

// inodesOf returns the different inodes of files, sorted and separated by blanks.
func inodesOf(t *testing.T, names []string) string {
	var all []string
	for _, name := range names {
		info, err := os.Stat(name)
		must(t, err)
		all = append(all, strconv.FormatUint(info.Sys().(*syscall.Stat_t).Ino, 10))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// checkFiles compares the groups that doppel files finds with those of the bytes.
func checkFiles(t *testing.T, x *child, roots []string) bool {
	got := x.try(t, append([]string{"files", "-0", "-o", "out"}, roots...), "") // a child's outputs must be UTF-8
	list, err := os.ReadFile("out")
	must(t, err)
	groups := map[string][]string{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if f := strings.SplitN(line, "\t", 4); len(f) == 4 {
			groups[f[0]] = append(groups[f[0]], f[3])
		}
	}
	var all []string
	for _, names := range groups {
		all = append(all, inodesOf(t, names))
	}
	slices.Sort(all)
	d := cmp.Diff(groupsBelow(t, roots), all)
	if d != "" || got.Status != 0 {
		t.Errorf("%s%+v", d, got)
	}
	return d == "" && got.Status == 0
}
