package recsieve_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// runTool runs a tool with arguments separated by spaces.
func runTool(t *testing.T, stdin []byte, line string) []byte {
	t.Helper()
	words := strings.Fields(line)
	var out, errs bytes.Buffer
	std := tool.Std{Args: words[1:], Stdin: bytes.NewReader(stdin), Stdout: &out, Stderr: &errs}
	if status := tool.Run(toolbox.Find(words[0]), std); status != 0 {
		t.Fatalf("%s: status %d: %s", line, status, &errs)
	}
	return out.Bytes()
}

// runChain runs recsign, lshpairs, jaccgroup and keepdrop, the chain that recsieve replaces.
func runChain(t *testing.T, file, args, threshold string) (kept, decisions, removed []byte) {
	t.Helper()
	signatures := runTool(t, nil, "recsign "+args+" "+file)
	pairs := runTool(t, signatures, "lshpairs -t "+threshold)
	decisions = runTool(t, pairs, fmt.Sprintf("jaccgroup %s -t %s --records %s", args, threshold, file))
	name := filepath.Join(t.TempDir(), "removed")
	records, _, _ := strings.Cut(args, "--shingle")
	kept = runTool(t, decisions, fmt.Sprintf("keepdrop %s --decisions - --removed %s %s", records, name, file))
	return kept, decisions, read(t, name)
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// compareWithChain runs recsieve with each of the flags and compares its outputs with the outputs
// of the chain. Every second run reads the file as standard input.
func compareWithChain(t *testing.T, file, args, threshold string, flags ...string) {
	t.Helper()
	kept, decisions, removed := runChain(t, file, args, threshold)
	for i, more := range flags {
		stdin, file := []byte(nil), file
		if i%2 == 1 && !strings.Contains(args, "-H") {
			stdin, file = read(t, file), "-"
		}
		d, r := filepath.Join(t.TempDir(), "d"), filepath.Join(t.TempDir(), "r")
		got := runTool(t, stdin, fmt.Sprintf("recsieve %s %s -t %s --decisions %s --removed %s %s", args, more, threshold, d, r, file))
		if !bytes.Equal(got, kept) {
			t.Errorf("%s %s %s %s: other records", file, args, threshold, more)
		}
		if !bytes.Equal(read(t, r), removed) {
			t.Errorf("%s %s %s %s: other removed records", file, args, threshold, more)
		}
		if want := neededDecisions(decisions); !bytes.Equal(neededDecisions(read(t, d)), want) || !isSubsequence(read(t, d), decisions) {
			t.Errorf("%s %s %s %s: decisions\n%s\nwant\n%s", file, args, threshold, more, neededDecisions(read(t, d)), want)
		}
		if only := runTool(t, stdin, fmt.Sprintf("recsieve %s %s -t %s %s", args, more, threshold, file)); !bytes.Equal(only, kept) {
			t.Errorf("%s %s %s %s: other records without --decisions", file, args, threshold, more)
		}
	}
}

// neededDecisions returns the decisions to drop and the decisions on the kept records that they
// name.
func neededDecisions(decisions []byte) (all []byte) {
	named := map[string]bool{}
	lines := strings.SplitAfter(string(decisions), "\n")
	for _, line := range lines {
		if f := strings.Split(line, "\t"); f[0] == "drop" {
			named[f[2]] = true
		}
	}
	for _, line := range lines {
		if f := strings.Split(line, "\t"); f[0] == "drop" || len(f) > 1 && named[f[1]] {
			all = append(all, line...)
		}
	}
	return all
}

// isSubsequence reports whether the lines of the first text are a subsequence of the lines of the
// second text.
func isSubsequence(some, others []byte) bool {
	rest := strings.SplitAfter(string(others), "\n")
	for _, line := range strings.SplitAfter(string(some), "\n") {
		i := slices.Index(rest, line)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

var flagSets = []string{"-j1", "-j4", "--mem 1M -j4", "--mem 1M -j1", "--mem 1 -j2"}

// On the example records of the documentation, recsieve writes the same outputs as the chain.
func TestChainOfDocs(t *testing.T) {
	for _, threshold := range []string{"0.3", "0.8", "0.95", "1"} {
		compareWithChain(t, "../../../testdata/docs/articles.jsonl", "", threshold, flagSets...)
		compareWithChain(t, "../../../testdata/docs/articles.jsonl", "-H", threshold, "-j2")
		compareWithChain(t, "../../../testdata/docs/articles.jsonl", "--field id --field text --shingle c5 --normalize none", threshold, "-j2")
	}
}

// writeRecords writes n records: revisions and copies of some texts, and unrelated texts.
func writeRecords(t testing.TB, seed uint64, n, texts int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	var all [][]string
	for i := range n {
		var words []string
		switch kind := r.IntN(10); {
		case kind == 0:
		case len(all) < texts || kind < 3:
			for range 10 + r.IntN(80) {
				words = append(words, fmt.Sprint("w", r.IntN(20_000)))
			}
			all = append(all, words)
		default:
			from := r.IntN(len(all))
			words = slices.Clone(all[from])
			for range r.IntN(5) {
				words[r.IntN(len(words))] = fmt.Sprint("x", r.IntN(20_000))
			}
			if r.IntN(3) == 0 {
				all[from] = words
			}
		}
		fmt.Fprintf(&b, `{"n": %d, "text": "%s"}`+"\n", i, strings.Join(words, " "))
	}
	name := filepath.Join(t.TempDir(), "records.jsonl")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// On generated records, recsieve writes the same outputs as the chain. With --mem 1M, the records
// fill several tables.
func TestChain(t *testing.T) {
	for seed, texts := range []int{200, 4000} {
		file := writeRecords(t, uint64(seed), 7000, texts)
		compareWithChain(t, file, "", "0.8", flagSets...)
		compareWithChain(t, file, "", "0.6", "--mem 1 -j3")
	}
}

// Records that wait for a later table are written in input order, in every input and output form.
func TestTailForms(t *testing.T) {
	jsonl := writeRecords(t, 1, 6000, 5000)
	want := runTool(t, nil, "recsieve "+jsonl)
	dir := t.TempDir()
	for _, form := range []string{"parquet", "csv", "jsonl"} {
		name := filepath.Join(dir, "all."+form)
		if form != "csv" {
			runTool(t, nil, "reccat -o "+name+" "+jsonl)
		} else if err := os.WriteFile(name, makeCSV(t, read(t, jsonl)), 0o600); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out."+form)
		runTool(t, nil, fmt.Sprintf("recsieve --mem 1 -o %s %s", out, name))
		if got := recordNumbers(runTool(t, nil, "reccat --to jsonl "+out)); got != recordNumbers(want) {
			t.Errorf("%s: other records", form)
		}
	}
	if got := runTool(t, read(t, jsonl), "recsieve --mem 1"); !bytes.Equal(got, want) {
		t.Error("a stream: other records")
	}
	lines := runTool(t, nil, "recsieve --lines --mem 1G "+jsonl)
	if got := runTool(t, nil, "recsieve --lines --mem 1 "+jsonl); !bytes.Equal(got, lines) {
		t.Error("lines: other records")
	}
}

// A directory of more files than the store keeps open yields the same records as a single file.
func TestManyFiles(t *testing.T) {
	file := writeRecords(t, 2, 3000, 500)
	records, dir := bytes.SplitAfter(read(t, file), []byte("\n")), t.TempDir()
	for i := 0; i < len(records); i += 12 {
		part := bytes.Join(records[i:min(i+12, len(records))], nil)
		if err := os.WriteFile(fmt.Sprintf("%s/%06d.jsonl", dir, i), part, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(runTool(t, nil, "recsieve "+dir), runTool(t, nil, "recsieve "+file)) {
		t.Error("other records")
	}
}

// makeCSV converts records from writeRecords to CSV.
func makeCSV(t *testing.T, records []byte) []byte {
	t.Helper()
	csv := []byte("n,text\n")
	for _, line := range strings.Split(strings.TrimSpace(string(records)), "\n") {
		var n int
		number, text, ok := strings.Cut(strings.TrimSuffix(line, `"}`), `, "text": "`)
		if _, err := fmt.Sscanf(number, `{"n": %d`, &n); err != nil || !ok {
			t.Fatal(line, err)
		}
		csv = fmt.Appendf(csv, "%d,%s\n", n, text)
	}
	return csv
}

// recordNumbers returns the numbers that writeRecords put into the given records, in order.
func recordNumbers(records []byte) string {
	var all []string
	for _, line := range strings.Split(string(records), "\n") {
		line = strings.ReplaceAll(line, " ", "")
		number, _, _ := strings.Cut(strings.TrimPrefix(line, `{"n":`), ",")
		all = append(all, strings.Trim(number, `"`))
	}
	return strings.Join(all, " ")
}
