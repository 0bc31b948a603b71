package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// A listKind is a kind of list that a tool writes: a line of testdata/lists.tsv. The tests of the
// Python package read the same file.
type listKind struct {
	name    string
	columns int
	golden  string   // such a file in testdata/golden, which has a seal, or "-"
	write   string   // a command that writes the list to FILE
	read    []string // commands that read the list from FILE
}

// listKinds returns all kinds of lists. The commands of a kind may read the lists of other kinds, by
// their names, and only earlier ones are needed to write a list.
func listKinds(t *testing.T) (kinds []listKind) {
	t.Helper()
	text, err := os.ReadFile("testdata/lists.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		columns, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, listKind{f[0], columns, f[2], f[3], f[4:]})
	}
	return kinds
}

// A listBench is a directory with all lists and the data that they were made from.
type listBench struct {
	dir   string
	kinds []listKind
}

func newListBench(t *testing.T) *listBench {
	t.Helper()
	b := &listBench{t.TempDir(), listKinds(t)}
	if err := os.CopyFS(b.dir, os.DirFS("../testdata/golden/inputs")); err != nil {
		t.Fatal(err)
	}
	b.must(t, "mkdir one two; cp articles.jsonl key inbox.mbox one; cp articles.jsonl key two", "")
	for _, k := range b.kinds {
		b.must(t, k.write, k.name)
	}
	return b
}

// shell runs a command with a name in place of FILE.
func (b *listBench) shell(line, file string) result {
	return run(in(b.dir, "sh", "-c", strings.ReplaceAll(line, "FILE", file)), "")
}

func (b *listBench) must(t *testing.T, line, file string) result {
	t.Helper()
	r := b.shell(line, file)
	if r.status != 0 {
		t.Errorf("%s, %s: %d, %s", line, file, r.status, r.stderr)
	}
	return r
}

func (b *listBench) put(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestLists checks that every list that a tool writes is plain: awk finds the same number of columns
// in each line, sqlite3 imports the lines, and they may be sorted. A list without its last byte is
// an error. A list whose name ends in .jsonl consists of objects with the same members.
func TestLists(t *testing.T) {
	b := newListBench(t)
	t.Run("sqlite3", func(t *testing.T) {
		stagetest.Need(t, t.Name(), "sqlite3")
		for _, k := range b.kinds {
			names := make([]string, k.columns)
			for i := range names {
				names[i] = fmt.Sprint("c", i)
			}
			b.must(t, `sqlite3 -batch -cmd '.mode ascii' -cmd '.separator "\t" "\n"' :memory: 'CREATE TABLE t (`+strings.Join(names, ",")+`)' '.import FILE t' 'SELECT * FROM t' | cmp - FILE`, k.name)
		}
	})
	for _, k := range b.kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			b.must(t, "awk -F'\t' 'NF != "+fmt.Sprint(k.columns)+" || /^#/ { print; bad = 1 } END { exit bad || NR == 0 }' FILE", k.name)
			sorted := k.name + ".sorted"
			b.must(t, "LC_ALL=C sort FILE > FILE.sorted", k.name)
			for _, read := range k.read {
				want, got := b.must(t, read, k.name), b.must(t, read, sorted)
				if strings.Count(got.stdout, "\n") != strings.Count(want.stdout, "\n") || got.stderr != strings.ReplaceAll(want.stderr, k.name, sorted) {
					t.Errorf("%s: sorted lines give\n%s%s, want\n%s%s", read, got.stdout, got.stderr, want.stdout, want.stderr)
				}
			}
			if text, err := os.ReadFile(filepath.Join(b.dir, k.name)); err != nil {
				t.Error(err)
			} else if b.put(t, k.name+".cut", text[:len(text)-1]); len(k.read) > 0 {
				if r := b.shell(k.read[0], k.name+".cut"); r.status != 2 || !strings.Contains(r.stderr, fmt.Sprintf(": %s.cut:%d: the last line has no line end: the list may be cut short\n", k.name, bytes.Count(text, []byte("\n")))) {
					t.Errorf("%s, without the last byte: %+v", k.read[0], r)
				}
			}
			if r := b.shell(k.write, k.name+".jsonl"); r.status == 2 && strings.Contains(r.stderr, "the list is not JSON lines") {
				return
			} else if r.status != 0 {
				t.Fatalf("JSON lines: %s", r.stderr)
			}
			b.checkObjects(t, k.name+".jsonl")
		})
	}
}

// checkObjects checks that each line of a file is an object, and that all have the same members.
func (b *listBench) checkObjects(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil || len(text) == 0 {
		t.Fatalf("%s: %v, or empty", name, err)
	}
	var want []string
	for line := range bytes.Lines(text) {
		object := map[string]any{}
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatalf("%s: %q: %v", name, line, err)
		}
		members := slices.Sorted(maps.Keys(object))
		if want == nil {
			want = members
		}
		if !slices.Equal(members, want) {
			t.Errorf("%s: members %q, want %q", name, members, want)
		}
	}
}

// TestKept checks that damage to a compressed list is an error, as doppel(7) promises.
func TestKept(t *testing.T) {
	b := &listBench{dir: t.TempDir()}
	articles, err := filepath.Abs("../testdata/docs/articles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kept.zst", "kept.gz"} {
		b.must(t, "recsign -o FILE "+articles, name)
		text, err := os.ReadFile(filepath.Join(b.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		broken := [][]byte{text[:len(text)-1], text[:len(text)/2]}
		for i := range 8 {
			flipped := bytes.Clone(text)
			flipped[len(text)-1-i*len(text)/9] ^= 1 << i
			broken = append(broken, flipped)
		}
		for i, text := range broken {
			b.put(t, "broken", text)
			if r := b.shell("lshpairs FILE", "broken"); r.status != 2 || !strings.Contains(r.stderr, "lshpairs: broken: ") {
				t.Errorf("%s, damage %d: %+v", name, i, r)
			}
		}
	}
}

// TestListsOfTools checks that testdata/lists.tsv has a list of each tool that writes lists.
func TestListsOfTools(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		writes := func(k listKind) bool { return strings.HasPrefix(k.write, name+" ") }
		if flag(t, name, "json") != "" && !slices.ContainsFunc(listKinds(t), writes) {
			t.Errorf("no list of %s", name)
		}
	})
}

// TestSealed checks how lists of earlier versions are read, whose first line is a seal. The tools read
// the other lines, and report the seal once. If the lines were damaged, cut short or sorted, the
// seal does not match them, which is an error.
func TestSealed(t *testing.T) {
	b := newListBench(t)
	for _, k := range b.kinds {
		if k.golden == "-" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("../testdata/golden/0.1.0", k.golden))
			if err != nil {
				t.Fatal(err)
			}
			seal, lines, _ := bytes.Cut(text, []byte("\n"))
			old, plain, broken := k.name+".old", k.name+".plain", k.name+".broken"
			b.put(t, old, text)
			b.put(t, plain, lines)
			note := old + ": sealed by an earlier version: the lines are checked, and the seal is left out\n"
			for _, read := range k.read {
				want, got := b.must(t, read, plain), b.must(t, read, old)
				if strings.ReplaceAll(got.stdout, old, plain) != want.stdout || strings.Count(got.stderr, note) != 1 || strings.Count(got.stderr, "\n") != strings.Count(want.stderr, "\n")+1 {
					t.Errorf("%s: %q, want the output without a seal and the note once", read, got.stderr)
				}
			}
			flipped := bytes.Clone(text)
			flipped[len(text)-len(lines)/2] ^= 1
			reversed := slices.Collect(bytes.Lines(lines))
			slices.Reverse(reversed)
			for name, text := range map[string][]byte{"a bit": flipped, "cut": text[:len(text)-1], "fewer lines": bytes.Join(slices.Collect(bytes.Lines(text))[:3], nil), "reversed": slices.Concat(seal, []byte("\n"), bytes.Join(reversed, nil))} {
				b.put(t, broken, text)
				if r := b.shell(k.read[0], broken); r.status != 2 || !strings.Contains(r.stderr, broken+": the ") {
					t.Errorf("%s, %s: %+v", k.read[0], name, r)
				}
			}
		})
	}
	// In a pipe, another program may have sorted, joined or changed the lines.
	old, err := filepath.Abs("../testdata/golden/0.1.0/minhash.keys")
	if err != nil {
		t.Fatal(err)
	}
	note := "keypairs: <stdin>: sealed by an earlier version: the lines are checked, and the seal is left out\n"
	want := b.must(t, "LC_ALL=C sort FILE | keypairs", "keys").stdout
	if r := b.must(t, "LC_ALL=C sort FILE | keypairs", old); r.stdout != want || r.stderr != note {
		t.Errorf("sorted in a pipe: %+v", r)
	}
	if r := b.must(t, "head -n 20 FILE | LC_ALL=C sort | keypairs", old); r.stderr != note+"keypairs: <stdin>: the lines do not match the seal: they were damaged or changed\n" {
		t.Errorf("a part in a pipe: %+v", r)
	}
	if r := b.must(t, "reccat --lines FILE", old); r.stdout != b.must(t, "cat FILE", "keys").stdout {
		t.Error("reccat --lines does not leave out the seal")
	}
}
