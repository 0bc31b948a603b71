package cli

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// A growing is a random dataset that arrives in parts.
type growing struct {
	r     *rand.Rand
	rows  []map[string]string
	parts []string // names of the files
}

// drawGrowing writes a random dataset to files in the current directory. Many of its texts are copies
// or revisions of earlier ones.
func drawGrowing(t *testing.T, r *rand.Rand) *growing {
	t.Helper()
	g := &growing{r: r}
	var texts []string
	for range 40 + r.IntN(160) {
		if r.IntN(10) == 0 {
			texts = append(texts, []string{"", "…", "a b", "\"x\", \n ü"}[r.IntN(4)])
		} else {
			texts = append(texts, drawText(r, texts))
		}
		g.rows = append(g.rows, map[string]string{"n": fmt.Sprint(len(texts)), "text": texts[len(texts)-1], "lang": fmt.Sprint(r.IntN(2))})
	}
	suffix := []string{".jsonl", ".csv", ".parquet"}[r.IntN(3)]
	start := 0
	for i, parts := 0, 2+r.IntN(4); i < parts; i++ {
		end := len(g.rows)
		if i < parts-1 {
			end = start + r.IntN(end-start+1)
		}
		if start == end && suffix != ".jsonl" {
			continue // a table without rows has no columns
		}
		name := fmt.Sprint("part", i, suffix)
		if err := os.WriteFile(name, formatRows(t, g.rows[start:end], suffix), 0o666); err != nil {
			t.Fatal(err)
		}
		g.parts, start = append(g.parts, name), end
	}
	return g
}

// drawText returns a random text, often a copy or a revision of one of the given texts, and sometimes
// "".
func drawText(r *rand.Rand, from []string) string {
	var words []string
	switch k := r.IntN(10); {
	case k < 6 && len(from) > 0:
		words = strings.Fields(from[r.IntN(len(from))])
		for range r.IntN(5) {
			if len(words) > 0 {
				words[r.IntN(len(words))] = fmt.Sprint("w", r.IntN(300))
			}
		}
	case k < 9:
		for range 1 + r.IntN(60) {
			words = append(words, fmt.Sprint("w", r.IntN(300)))
		}
	}
	return strings.Join(words, " ")
}

// formatRows returns a file of rows in the format that a suffix names.
func formatRows(t *testing.T, rows []map[string]string, suffix string) []byte {
	t.Helper()
	var b bytes.Buffer
	if suffix == ".csv" {
		w := csv.NewWriter(&b)
		w.Write([]string{"n", "text", "lang"})
		for _, row := range rows {
			w.Write([]string{row["n"], row["text"], row["lang"]})
		}
		w.Flush()
		return b.Bytes()
	}
	for _, row := range rows {
		line, _ := json.Marshal(row)
		fmt.Fprintf(&b, "%s\n", line)
	}
	if suffix == ".parquet" {
		return []byte(runWords(t, b.String(), "reccat", "--to=parquet"))
	}
	return b.Bytes()
}

// runWords runs a tool or a command of doppel, and returns its output.
func runWords(t *testing.T, stdin string, words ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	std := tool.Std{Program: words[0], Args: words[1:], Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs}
	status := 0
	if c := toolbox.Find(words[0]); c != nil {
		status = tool.Run(c, std)
	} else {
		status = tool.Run(Find(words[0]), std)
	}
	if status != 0 {
		t.Fatalf("%v: status %d: %s", words, status, &errs)
	}
	return out.String()
}

// readNew returns the contents of a file, and removes the file.
func readNew(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(name)
	return string(b)
}

// dropped returns the lines of decisions that drop a record.
func dropped(decisions string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(decisions, "\n"), func(line string) bool { return !strings.HasPrefix(line, "drop\t") }), "")
}

var matchedValue = regexp.MustCompile(`"matched_value":"(\\.|[^"\\])*"`)

// check compares runs over the parts, one after the other, with one run over all parts. The options
// are given to the first run alone or to all. The further options, which a collection does not
// store, are given to all.
func (g *growing) check(t *testing.T, command string, options, further []string) {
	t.Helper()
	os.RemoveAll("seen")
	one := slices.Concat([]string{command}, further)
	result := func(args ...[]string) (all [3]string) {
		all[0] = runWords(t, "", slices.Concat(append([][]string{one}, args...)...)...)
		if slices.Contains(further, "--removed=r") {
			if all[1] = readNew(t, "r"); command == "exact" || command == "recuniq" { // the texts of old records are not in their collections
				all[1] = matchedValue.ReplaceAllString(all[1], `"matched_value":null`)
			}
		}
		if slices.Contains(further, "--decisions=d") {
			all[2] = dropped(readNew(t, "d"))
		}
		return all
	}
	want := result(options, g.parts)
	var got [3]string
	for i, part := range g.parts {
		given, save := options, []string{"--index=seen"}
		if i > 0 && g.r.IntN(2) == 0 {
			given = nil
		}
		if g.r.IntN(2) == 0 {
			if save = []string{"--save=seen/"}; i > 0 {
				save = append(save, "--against=seen")
			}
		}
		var before [3]string // the results of a run that ends before it adds to the collection
		cut := i > 0 && g.r.IntN(3) == 0
		if cut {
			before = result(given, []string{"--against=seen", part})
		}
		again := result(given, save, []string{part})
		if cut && again != before {
			t.Errorf("%s %v %v of %s: a repeated run has another result:\n%s\nwant\n%s", command, options, further, part, again, before)
		}
		for k, text := range again {
			got[k] += text
		}
	}
	for k, name := range []string{"records", "removed records", "decisions"} {
		if got[k] != want[k] {
			t.Errorf("%s %v %v of %v: %s\n%s\nwant\n%s", command, options, further, g.parts, name, got[k], want[k])
		}
	}
}

// Runs over the parts of a dataset, with a collection, keep, drop and report the same as one run over
// the whole dataset.
func TestCollection(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", filepath.Join(t.TempDir()))
	for seed := range uint64(14) {
		r := rand.New(rand.NewPCG(seed, 52))
		g := drawGrowing(t, r)
		pick := func(lists ...string) []string { return strings.Fields(lists[r.IntN(len(lists))]) }
		how := pick("", "--threshold=.5", "--threshold=.5 --shingle=c5", "--normalize=none --seed=7", "--shingle=w1 --threshold=.3", "--bands=30 --rows=3 --threshold=.4", "--slots=64 --recall=.9")
		memory := pick("", "--mem=1", "--jobs=1", "--mem=1M --jobs=3")
		g.check(t, "fuzzy", how, slices.Concat(memory, []string{"--to=jsonl", "--stats=none", "-H"}, pick("", "--removed=r")))
		g.check(t, "recsieve", how, slices.Concat(memory, []string{"--to=jsonl", "-H", "--decisions=d"}, pick("", "--removed=r", "--id=n")))
		how = pick("", "--field=text", "--field=text --within=lang", "--field=text --field=lang")
		g.check(t, "exact", how, slices.Concat(memory, []string{"--to=jsonl", "--stats=none"}, pick("", "-H --removed=r")))
		g.check(t, "recuniq", nil, slices.Concat(memory, []string{"--to=jsonl", "--field=text"}, pick("", "--normalize=aggressive",
			"-H --removed=r --decisions=d", "-H --id=n --removed=r --decisions=d --normalize=aggressive")))
		for _, name := range g.parts {
			os.Remove(name)
		}
	}
}

// While one run adds to a collection, another one waits, or fails with --no-wait and leaves its
// output as it was.
func TestTwoWriters(t *testing.T) {
	t.Chdir(t.TempDir())
	for command, options := range map[string][]string{"fuzzy": nil, "exact": {"--field=text"}} {
		os.WriteFile("a.jsonl", []byte(`{"text":"one two three"}`+"\n"), 0o666)
		os.WriteFile("b.jsonl", []byte(`{"text":"four five six"}`+"\n"), 0o666)
		run := func(stderr io.Writer, more ...string) int {
			args := slices.Concat(options, []string{"--stats=none", "--index=" + command, "-o", "out"}, more)
			return tool.Run(Find(command), tool.Std{Program: command, Args: args, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: stderr})
		}
		var errs bytes.Buffer
		if status := run(&errs, "a.jsonl"); status != 0 {
			t.Fatal(&errs)
		}
		want := readNew(t, "out")
		os.WriteFile("out", []byte("before"), 0o666)
		lock, err := os.Open(filepath.Join(command, "lock"))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		if status := run(&errs, "--no-wait", "b.jsonl"); status != 2 || !strings.Contains(errs.String(), command+": another process is adding") {
			t.Errorf("%s: status %d: %s", command, status, &errs)
		}
		if out := readNew(t, "out"); out != "before" {
			t.Errorf("%s: %s", command, out)
		}
		r, w := io.Pipe()
		ended := make(chan int)
		go func() { ended <- run(w, "b.jsonl"); w.Close() }()
		line, _ := bufio.NewReader(r).ReadString('\n')
		if !strings.Contains(line, "waiting") {
			t.Errorf("%s: %s", command, line)
		}
		go io.Copy(io.Discard, r)
		lock.Close() // ends the lock
		if status := <-ended; status != 0 {
			t.Errorf("%s: status %d", command, status)
		}
		if out := readNew(t, "out"); out == want || out == "" {
			t.Errorf("%s: %s", command, out)
		}
	}
}

// doppel audit finds no fault in runs with a collection, and finds a decision that names another old
// record.
func TestCollectionAudit(t *testing.T) {
	t.Chdir(t.TempDir())
	planted := 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := drawGrowing(t, r)
		command, options := "fuzzy", []string{"--threshold=.5"}
		if seed%2 == 1 {
			command, options = "exact", []string{"--field=text"}
		}
		if r.IntN(2) == 0 {
			options = append(options, "--id=n")
		}
		for i, part := range g.parts {
			if i > 0 {
				options = slices.DeleteFunc(options, func(o string) bool { return o != "--id=n" })
			}
			runWords(t, "", slices.Concat([]string{command, "--stats=none", "--index=seen", "--manifest=m", "--decisions=d", "-o=out.jsonl", "--to=jsonl"}, options, []string{part})...)
			said := runWords(t, "", "audit", "m")
			if !strings.HasSuffix(said, ": no fault\n") || strings.Contains(said, "evidence") {
				t.Errorf("seed %d, %s %v of %s: %s", seed, command, options, part, said)
			}
			if g.plant(t, r, part) {
				planted++
				var out bytes.Buffer
				status := tool.Run(Find("audit"), tool.Std{Program: "audit", Args: []string{"-k", "m"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard})
				if found := strings.Count(out.String(), "\n"); status != 1 || found != 3 { // the checksum, the decision and the sum
					t.Errorf("seed %d, %s %v of %s: status %d: %s", seed, command, options, part, status, &out)
				}
			}
		}
		os.RemoveAll("seen")
		for _, name := range g.parts {
			os.Remove(name)
		}
	}
	if planted < 5 {
		t.Errorf("%d decisions changed", planted)
	}
}

// plant makes a decision in the file d that names an old record name another one, and reports whether
// there is such a decision. The other records of these datasets have other similarities.
func (g *growing) plant(t *testing.T, r *rand.Rand, part string) bool {
	t.Helper()
	lines := strings.SplitAfter(readNew(t, "d"), "\n")
	planted := false
	var olds []string
	for text := range strings.Lines(runWords(t, "", "index", "--export=ids", "seen")) {
		id := strings.TrimSuffix(text, "\n")
		if !strings.HasPrefix(id, part+":") {
			olds = append(olds, id)
		}
	}
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		if len(cells) != 5 || cells[0] != "drop" || !strings.Contains(cells[2], ":") || planted {
			continue
		}
		for range 20 {
			if other := olds[r.IntN(len(olds))]; other != cells[2] {
				cells[2] = other
				lines[i], planted = strings.Join(cells, "\t"), true
				break
			}
		}
	}
	if err := os.WriteFile("d", []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	return planted
}
