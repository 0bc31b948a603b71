package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// records is the number of records in the corpus. It is so large that the start of a process
// and the runtime's own work do not matter.
const records = 10_000

// noise is the number of instructions below which a count is left out. On a busy machine the
// runtime executes up to 150,000 more instructions, for example to unwind stacks, and this
// must not raise a count by more than the tolerance.
const noise = 5_000_000

// stages lists the commands of the fuzzy chain. DATA is replaced by the name of the corpus, and
// IN by the name of the previous stage's output.
var stages = [][]string{
	{"recsign", "DATA"},
	{"lshpairs", "--threshold=0.8", "IN"},
	{"jaccard", "--threshold=0.8", "--records=DATA", "IN"},
	{"dupgroup", "--cut=0.8", "IN"},
	{"keepdrop", "--decisions=IN", "DATA"},
}

// measure builds the tools, generates the corpus, and returns all counts.
func measure() (counts []count, err error) {
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"build", "-trimpath", "-o", dir, "./scripts/bench/corpus", "./cmd/reccat", "./cmd/recuniq"}
	for _, stage := range stages {
		args = append(args, "./cmd/"+stage[0])
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	data := filepath.Join(dir, "data")
	corpus := exec.Command(filepath.Join(dir, "corpus"), "-n", strconv.Itoa(records), "--near=0.1", "--mean=1500",
		"--vocabulary=testdata/docs/articles.jsonl", "-o", data)
	if out, err := corpus.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("corpus: %w\n%s", err, out)
	}
	valgrind, err := exec.LookPath("valgrind")
	if err != nil && os.Getenv("CI") == "" {
		fmt.Println("instructions are not counted:", err)
		valgrind, err = "", nil
	}
	if err != nil {
		return nil, err
	}
	if counts, err = countStages(valgrind, dir, data); err != nil {
		return nil, err
	}
	inForms, err := countForms(valgrind, dir, data)
	if err != nil {
		return nil, err
	}
	allocated, err := countAllocated(data)
	return append(append(counts, inForms...), count{"bytes allocated signing all records", allocated}), err
}

// countStages counts the lines and, unless valgrind is "", the instructions of each stage.
func countStages(valgrind, dir, data string) (counts []count, err error) {
	in := ""
	for _, stage := range stages {
		args := slices.Clone(stage)
		args[0] = filepath.Join(dir, stage[0])
		for i := range args {
			args[i] = placed(args[i], in, data)
		}
		out := filepath.Join(dir, "out."+stage[0])
		err := command(args, out).Run()
		text, rerr := os.ReadFile(out)
		if err = errors.Join(err, rerr); err != nil {
			return nil, fmt.Errorf("%s: %w", stage[0], err)
		}
		counts = append(counts, count{"lines of " + stage[0], float64(bytes.Count(text, []byte{'\n'}))})
		if valgrind != "" {
			n, err := beyondStart(valgrind, args, os.DevNull)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", stage[0], err)
			}
			if n > noise {
				counts = append(counts, count{"instructions of " + stage[0], n})
			}
		}
		in = out
	}
	return counts, nil
}

var place = regexp.MustCompile(`\b(DATA|IN)$`)

func placed(arg, in, data string) string {
	return place.ReplaceAllStringFunc(arg, func(p string) string {
		if p == "IN" {
			return in
		}
		return data
	})
}

func command(args []string, out string) *exec.Cmd {
	c := exec.Command(args[0], append(args[1:len(args):len(args)], "-j1", "-o", out)...)
	c.Stderr = os.Stderr
	return c
}

// beyondStart counts the instructions of a run, except those of the tool's start-up, which
// depend, for instance, on the number of linked packages.
func beyondStart(valgrind string, args []string, out string) (float64, error) {
	all, err := instructions(valgrind, args, out)
	if err != nil {
		return 0, err
	}
	start, err := instructions(valgrind, []string{args[0], "--version"}, os.DevNull)
	return all - start, err
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// instructions counts the instructions of a run of a tool. So that the counts of two runs agree
// within one percent, the tool runs in one thread, without garbage collection and with a fixed
// environment. Garbage is collected at different times in every run, and every program reads its
// environment at the start.
func instructions(valgrind string, args []string, out string) (float64, error) {
	args = append([]string{valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null"}, args...)
	c := command(args, out)
	c.Env = []string{"GODEBUG=asyncpreemptoff=1", "GOGC=off", "GOMAXPROCS=1", "TMPDIR=" + os.TempDir()}
	var report bytes.Buffer
	c.Stderr = &report
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, &report)
	}
	m := collected.FindSubmatch(report.Bytes())
	if m == nil {
		return 0, fmt.Errorf("valgrind printed no count:\n%s", &report)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// forms lists the storage formats in which recuniq reads and writes the records.
var forms = []struct{ name, file, codec string }{
	{"JSON lines, zstd", "data.jsonl.zst", ""},
	{"JSON lines, gzip", "data.jsonl.gz", ""},
	{"Parquet, zstd", "zstd.parquet", "zstd"},
	{"Parquet, plain", "none.parquet", "none"},
}

// countForms counts the bytes of the records in each format, and the instructions that
// recuniq executes to remove the duplicates from each file.
func countForms(valgrind, dir, data string) (counts []count, err error) {
	for _, f := range forms {
		in, out := filepath.Join(dir, f.file), filepath.Join(dir, "unique."+f.file)
		put := []string{filepath.Join(dir, "reccat"), data}
		if f.codec != "" {
			put = append(put, "--codec="+f.codec)
		}
		if out, err := exec.Command(put[0], append(put[1:], "-o", in)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", f.name, err, out)
		}
		info, err := os.Stat(in)
		if err != nil {
			return nil, err
		}
		counts = append(counts, count{"bytes of " + f.name, float64(info.Size())})
		if valgrind == "" {
			continue
		}
		n, err := beyondStart(valgrind, []string{filepath.Join(dir, "recuniq"), "--field=text", in}, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		counts = append(counts, count{"instructions of " + f.name, n})
	}
	return counts, nil
}
