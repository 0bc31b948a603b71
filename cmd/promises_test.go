package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/msg"
	"doppel/pkg/stage/stagetest"
)

// The tests below check properties that other deduplication programs are known to lack.

// words returns n random words out of 2³² different ones, so two texts of such words have
// practically no word in common.
func words(r *rand.Rand, n int) []string {
	w := make([]string, n)
	for i := range w {
		w[i] = fmt.Sprintf("w%x", r.Uint32())
	}
	return w
}

// dataset returns texts as JSON lines.
func dataset(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		line, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// fuzzy runs doppel fuzzy on a dataset and returns the kept records.
func fuzzy(t *testing.T, data string, args ...string) string {
	t.Helper()
	c := command("doppel", append([]string{"fuzzy", "--stats", "none"}, args...)...)
	c.Dir = t.TempDir()
	r := run(c, data)
	if r.status != 0 || r.stderr != "" {
		t.Fatalf("%v: %d, %s", args, r.status, r.stderr)
	}
	return r.stdout
}

// TestOneWord checks that a copy of a text with one word prepended, deleted or inserted is
// found, for texts of different lengths.
func TestOneWord(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{200, 1000, 5000} {
		for range 5 {
			w := words(r, n)
			text, at := strings.Join(w, " "), r.IntN(n-1)
			for name, other := range map[string]string{
				"prepended": "word " + text,
				"deleted":   strings.Join(slices.Delete(slices.Clone(w), at, at+1), " "),
				"inserted":  strings.Join(slices.Insert(slices.Clone(w), at, "word"), " "),
			} {
				if left := fuzzy(t, dataset(text, other)); left != dataset(text) {
					t.Errorf("%d words, one %s: not found", n, name)
				}
			}
		}
	}
}

// TestUnrelatedAndIdentical checks that no unrelated text is removed, and that exactly one of
// several identical texts is kept.
func TestUnrelatedAndIdentical(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var texts []string
	for range 20000 {
		texts = append(texts, strings.Join(words(r, 12), " "))
	}
	data := dataset(texts...)
	if left := fuzzy(t, data); left != data {
		t.Errorf("of unrelated texts %d bytes of %d are left", len(left), len(data))
	}
	if left := fuzzy(t, strings.Repeat(dataset(texts[0]), 50000)); left != dataset(texts[0]) {
		t.Errorf("of identical texts %d are left", strings.Count(left, "\n"))
	}
}

// TestShortTexts checks that texts without words are all kept, and that a short text is
// dropped only if it equals an earlier one after normalization.
func TestShortTexts(t *testing.T) {
	data := dataset("", " ", "...", "a", "b", "a b", "b a", "", "!?", "漢", "漢字")
	if left := fuzzy(t, data); left != data {
		t.Errorf("left:\n%s", left)
	}
	if left := fuzzy(t, dataset("a b", "A, b!", "a")); left != dataset("a b", "a") {
		t.Errorf("left:\n%s", left)
	}
}

// TestBook checks that a long text does not cause the removal of the short texts that it
// contains, because their similarity to it is low.
func TestBook(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var pages []string
	for range 50 {
		pages = append(pages, strings.Join(words(r, 100), " "))
	}
	data := dataset(append(pages, strings.Join(pages, " "))...)
	if left := fuzzy(t, data); left != data {
		t.Errorf("left %d of 51", strings.Count(left, "\n"))
	}
}

// nearDuplicates returns groups×size texts in random order; the texts of a group are near
// duplicates of each other.
func nearDuplicates(r *rand.Rand, groups, size int) (texts []string) {
	for range groups {
		base := words(r, 300)
		for range size {
			w := slices.Clone(base)
			w[r.IntN(len(w))] = "changed"
			texts = append(texts, strings.Join(w, " "))
		}
	}
	r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	return texts
}

// TestOrderAndThreads checks that shuffling the input does not change the kept texts if
// records are ranked by something other than input order, and that the number of threads
// and the memory limit do not change the output.
func TestOrderAndThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	texts := nearDuplicates(r, 40, 6)
	args := []string{"--rank", "text"}
	want := fuzzy(t, dataset(texts...), args...)
	for _, more := range [][]string{{"-j", "1"}, {"-j", "16"}, {"-j", "3", "--mem", "1K"}} {
		if got := fuzzy(t, dataset(texts...), append(args, more...)...); got != want {
			t.Errorf("%v changes the output", more)
		}
	}
	r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	if got := fuzzy(t, dataset(texts...), args...); sortedLines(got) != sortedLines(want) {
		t.Error("shuffling the input changes what is kept")
	}
	if n := strings.Count(want, "\n"); n != 40 {
		t.Errorf("%d groups are left of 40", n)
	}
}

func sortedLines(s string) string {
	lines := strings.SplitAfter(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestOddNames checks that commands, and the commands that they print, read an input of any name, and
// take no name for an option or for text of a shell.
func TestOddNames(t *testing.T) {
	data := dataset("one two three", "one two three", "four five six")
	for _, name := range []string{"-ovictim", "--help", "a,b", `a"b`, "a'b", "a\nb", "a b", "*", "$(touch x)", "\xff\x01"} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{name: data, "plain": data, "victim": "old"} {
				must(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			for _, command := range []string{"fuzzy --stats=none", "exact --stats=none", "passages --stats=none", "groups", "count"} {
				want := shell(t, dir, "doppel "+command+" -- plain")
				for _, script := range []string{`doppel ` + command + ` -- "$N"`, `eval "$(doppel ` + command + ` --print -- "$N")"`} {
					if command == "count" && strings.Contains(script, "--print") {
						continue
					}
					if got := shell(t, dir, "N="+msg.Quote(name)+"\n"+script); got.status != 0 || got.stdout != want.stdout || want.stdout == "" && command != "groups" {
						t.Errorf("%s: %+v, want %q", script, got, want.stdout)
					}
				}
			}
			left, err := os.ReadDir(dir)
			if victim, _ := os.ReadFile(filepath.Join(dir, "victim")); err != nil || len(left) != 3 || string(victim) != "old" {
				t.Errorf("other files are changed: %v, %q, %v", left, victim, err)
			}
		})
	}
}

// TestFormats checks that the signatures of records do not depend on line ends, a byte order
// mark, or compression, including compressed files of several members or frames.
func TestFormats(t *testing.T) {
	stagetest.Need(t, t.Name(), "zstd")
	data := dataset(nearDuplicates(rand.New(rand.NewPCG(9, 9)), 5, 2)...)
	half := strings.Index(data[len(data)/2:], "\n") + len(data)/2 + 1
	want := run(command("recsign"), data).stdout
	for name, input := range map[string]string{
		"CRLF":            strings.ReplaceAll(data, "\n", "\r\n"),
		"no end of line":  strings.TrimSuffix(data, "\n"),
		"byte order mark": "\ufeff" + data,
		"gzip":            filter(t, data, "gzip"),
		"two members":     filter(t, data[:half], "gzip") + filter(t, data[half:], "gzip"),
		"zstd":            filter(t, data, "zstd"),
		"two frames":      filter(t, data[:half], "zstd") + filter(t, data[half:], "zstd"),
	} {
		if r := run(command("recsign"), input); r.status != 0 || r.stdout != want {
			t.Errorf("%s: status %d, %s", name, r.status, r.stderr)
		}
	}
}

// filter runs a compressor such as gzip on the given input, and returns its output.
func filter(t *testing.T, in, program string, args ...string) string {
	t.Helper()
	c := exec.Command(program, append([]string{"-qc"}, args...)...)
	c.Stdin = strings.NewReader(in)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return string(out)
}

// TestTruncated checks that every record tool reports a truncated compressed file, wherever
// it is cut.
func TestTruncated(t *testing.T) {
	stagetest.Need(t, t.Name(), "zstd")
	data := dataset(nearDuplicates(rand.New(rand.NewPCG(9, 9)), 50, 2)...)
	for _, program := range []string{"gzip", "zstd"} {
		whole := filter(t, data, program)
		for _, cut := range []int{20, len(whole) / 2, len(whole) - 1} {
			for _, tool := range []string{"recsign", "recuniq", "reccat"} {
				if !slices.Contains(tools, tool) {
					continue
				}
				if r := run(command(tool), whole[:cut]); r.status != 2 || !strings.HasPrefix(r.stderr, tool+": <stdin>: ") {
					t.Errorf("%s of %s cut at %d: %d, %q", tool, program, cut, r.status, r.stderr)
				}
			}
		}
	}
}

// TestKilled checks that a killed tool leaves neither scratch files nor an output file.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	c := command("doppel", "fuzzy", "-o", filepath.Join(dir, "out"))
	c.Env = append(c.Env, "TMPDIR="+dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(bytes.Repeat([]byte(dataset("some text")), 100000)); err != nil {
		t.Fatal(err)
	}
	c.Process.Kill()
	c.Wait()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// TestLongLine checks that every record tool passes a long line unchanged.
func TestLongLine(t *testing.T) {
	long := dataset(strings.Repeat("a long line ", 48<<20/12))
	for _, args := range [][]string{{"keepdrop", "--drop", "/dev/null"}, {"recuniq"}, {"reccat"}} {
		if !slices.Contains(tools, args[0]) {
			continue
		}
		if r := run(command(args[0], args[1:]...), long); r.status != 0 || r.stdout != long {
			t.Errorf("%s: %d, %d bytes of %d, %s", args[0], r.status, len(r.stdout), len(long), r.stderr)
		}
	}
}
