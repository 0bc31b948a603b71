package cmd_test

import (
	"bufio"
	"bytes"
	"cmp"
	"doppel/pkg/stage/stagetest"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"doppel/pkg/cli"
	"doppel/pkg/flagset"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// preparedData makes the datasets of the command lines in lines, in an empty directory.
const preparedData = `
for i in 1 2 3 4 5 6 7 8; do
	echo '{"id":"r'$i'","text":"some words that all the texts share and number '$((i % 5))' alone","n":'$i',"m":"x'$((i % 2))'"}'
done > r.jsonl
head -n 3 r.jsonl > o.jsonl
`

// preparedLists makes the other inputs from the datasets.
const preparedLists = `
: > none
mkdir -p t/a t/b
for i in 1 2 3; do echo "the text of a file $((i % 2)) with some more words, so that it is long enough for a sample" | tee t/a/$i > t/b/$i; done
find t -type f | sort > names
printf 'From a@b Thu Jan  1 00:00:00 2026\nSubject: s\n\nsome words of mail\n\nFrom a@b Thu Jan  1 00:00:00 2026\nSubject: s\n\nsome words of mail\n' > mbox
head -c 32 /dev/zero > key
doppel fuzzy --stats none -t .5 --decisions d --scores s --save sigs -o kept.jsonl r.jsonl
doppel passages --stats none --length 20 --decisions spans -o cut.jsonl r.jsonl
recsign r.jsonl > m
recsign -m simhash r.jsonl > simhash
recsign -m sample --files t/a/1 t/a/2 > sample
recsign -m passage --length 20 r.jsonl > passage
lshkeys m | LC_ALL=C sort > keys
lshkeys passage | LC_ALL=C sort > places
lshpairs m > pairs
jaccard --records r.jsonl pairs > scored
printf 't/a/1\tt/b/1\n' > files
fuzzysum t/a/* > sums
printf 'deduplication:\n  fuzzy:\n    threshold: 0.8\n' > steps.yaml
printf 'filters:\n  quality:\n    min_length: 1\n' > filters.yaml
doppel fuzzy --stats none --index index r.jsonl > /dev/null
`

// lines lists, by command, command lines that succeed with the inputs of preparedData and preparedLists. Together,
// they use the modes of a command in which its numeric flags have an effect.
var lines = map[string][]string{
	"blockhash": {"t/a/1 t/b/1", "--salt name names"},
	"dupgroup":  {"--cut .5 scored", "--rank n --records r.jsonl scored"},
	"dupreport": {"--records r.jsonl --decisions d --scores s"},
	"dupreview": {"--records r.jsonl --keys q scored"},
	"dupspan":   {"--records r.jsonl places", "--records r.jsonl --scan --length 20"},
	"fuzzyseen": {"--filter seen"},
	"fuzzysum":  {"t/a/1", "--mbox mbox"},
	"jaccard":   {"--records r.jsonl pairs", "--sigs m pairs"},
	"jaccgroup": {"--records r.jsonl pairs"},
	"keepdrop":  {"--decisions d r.jsonl", "--decisions spans --cut r.jsonl", "--drop none r.jsonl"},
	"keypairs":  {"keys"},
	"lshkeys":   {"m", "--parts 2 --into parts m"},
	"lshpairs":  {"m", "simhash"},
	"matchsub":  {"files", "--bytes --threshold 8 files"},
	"reccat":    {"r.jsonl", "--sample 3 r.jsonl", "--to parquet --codec zstd -o x.parquet r.jsonl"},
	"recfilter": {"--languages en --preset strict r.jsonl"},
	"recsieve":  {"r.jsonl", "--decisions y -o x r.jsonl"},
	"recsign": {
		"r.jsonl", "-m simhash r.jsonl", "-m sample --files t/a/1 t/a/2", "-m passage r.jsonl", "-m exact r.jsonl",
		"--split lines --least 2 r.jsonl",
	},
	"recuniq":  {"--field text r.jsonl", "--field text --split lines r.jsonl", "--field text --save saved -o x r.jsonl", "--field text --decisions y --removed z -o x r.jsonl"},
	"simpairs": {"simhash", "--within 3 simhash"},

	"doppel fuzzy": {
		"--stats none r.jsonl", "--stats none --mem 1M --decisions x -o y r.jsonl", "--stats none --split lines -o x r.jsonl",
		"--print=make --parts 2 r.jsonl", "--plan --sample 4 --machines 2 --cores 2 r.jsonl", "--stats none --against o.jsonl --report x -o y r.jsonl",
	},
	"doppel cut":      {"--scores s --stats none r.jsonl"},
	"doppel groups":   {"r.jsonl", "--list d r.jsonl"},
	"doppel exact":    {"--field text --stats none r.jsonl", "--field text --split lines --stats none r.jsonl", "--field text --print=make --parts 2 r.jsonl"},
	"doppel passages": {"--length 20 --stats none r.jsonl", "--length 20 --print=make --parts 2 r.jsonl"},
	"doppel audit":    {"--decisions d -o kept.jsonl -t .5 r.jsonl", "--decisions spans --of passages -o cut.jsonl r.jsonl"},
	"doppel shared":   {"t", "--scores t"},
	"doppel filter":   {"-c filters.yaml r.jsonl"},
	"doppel pipeline": {"-c steps.yaml r.jsonl"},
	"doppel index":    {"index", "--export texts index", "--check index", "--merge index"},
	"doppel inspect":  {"r.jsonl"},
	"doppel count":    {"r.jsonl"},
	"doppel text":     {"t/a/1 t/b/1 t/a/2"},
	"doppel files":    {"t"},
	"doppel dirs":     {"t"},
	"doppel mail":     {"mbox"},
	"doppel measure":  {"r.jsonl"},
	"doppel overlap":  {"--test o.jsonl --test-field text r.jsonl"},
}

// A trial is one command line of doppel or of a tool that a child of this process runs.
type trial struct {
	Tool  string // "" for doppel
	Args  []string
	Stdin string
}

// An ending is the result of a trial.
type ending struct {
	Status         int
	Stdout, Stderr string
	Allocated      int64 // bytes that the run allocated in total
}

// runTrials runs the trials on standard input, one after the other, in this process.
func runTrials() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var t trial
		if in.Decode(&t) != nil {
			return
		}
		var stdout, stderr bytes.Buffer
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		std := tool.Std{Program: cmp.Or(t.Tool, "doppel"), Args: t.Args, Stdin: strings.NewReader(t.Stdin), Stdout: &stdout, Stderr: &stderr}
		status := 0
		if c := toolbox.Find(t.Tool); c != nil {
			status = tool.Run(c, std)
		} else {
			status = cli.Run(std)
		}
		runtime.ReadMemStats(&after)
		out.Encode(ending{status, stdout.String(), stderr.String(), int64(after.TotalAlloc - before.TotalAlloc)})
	}
}

// A child is a process that runs trials. Trials are much cheaper than processes of their own, and a
// panic does not end the tests.
type child struct {
	dir    string
	to     *json.Encoder
	from   *json.Decoder
	stderr bytes.Buffer
}

// startChild starts a process that runs trials in the given directory.
func startChild(t *testing.T, dir string) *child {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	c := exec.Command(self)
	c.Dir, c.Env = dir, append(os.Environ(), toolPath(), "TRIALS=1", "TMPDIR="+t.TempDir())
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	x := &child{dir: dir, to: json.NewEncoder(in), from: json.NewDecoder(bufio.NewReader(out))}
	c.Stderr = &x.stderr
	must(t, c.Start())
	t.Cleanup(func() {
		in.Close()
		c.Wait()
	})
	return x
}

// try runs a trial of doppel.
func (x *child) try(t *testing.T, args []string, stdin string) ending {
	t.Helper()
	return x.run(t, trial{Args: args, Stdin: stdin})
}

// run runs a trial. It ends the test if the process panics.
func (x *child) run(t *testing.T, tried trial) (e ending) {
	t.Helper()
	must(t, x.to.Encode(tried))
	if err := x.from.Decode(&e); err != nil {
		t.Fatalf("%s %s: %v\n%.2000s", tried.Tool, strings.Join(tried.Args, " "), err, x.stderr.String())
	}
	return e
}

// commandNames returns the names of all tools and all subcommands, as in "doppel fuzzy".
func commandNames(t *testing.T) (names []string) {
	for _, name := range tools {
		if name != "doppel" {
			names = append(names, name)
		}
	}
	for line := range strings.Lines(run(command("doppel", "--help"), "").stdout) {
		if f := strings.Fields(line); strings.HasPrefix(line, "  ") && len(f) > 0 && f[0][0] != '-' {
			names = append(names, "doppel "+f[0])
		}
	}
	return names
}

// wordsOf returns the arguments of doppel for a command line of the named command.
func wordsOf(name, line string) []string {
	return append(strings.Fields(strings.TrimPrefix(name, "doppel ")), strings.Fields(line)...)
}

// inPrepared makes the inputs of the command lines in lines, and returns their directory.
func inPrepared(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	runScript(t, dir, preparedData+preparedLists)
	return dir
}

// runScript runs a shell script in the given directory.
func runScript(t *testing.T, dir, script string) {
	t.Helper()
	c := in(dir, "sh", "-ec", script)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// eachCommand runs test for every tool and subcommand, each with a copy of the prepared inputs.
func eachCommand(t *testing.T, test func(t *testing.T, x *child, name string)) {
	made := inPrepared(t)
	for _, name := range commandNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "in")
			must(t, os.CopyFS(dir, os.DirFS(made)))
			test(t, startChild(t, dir), name)
		})
	}
}

// stdinOf returns the standard input of the command lines of a command.
func stdinOf(name string) string {
	if name == "fuzzyseen" {
		return strings.Repeat("0123456789abcdef0123456789abcdef\n", 3)
	}
	return ""
}

// TestEmptyValues checks that every flag of every command is an error if its value is empty, and
// that an empty operand is an error.
func TestEmptyValues(t *testing.T) {
	eachCommand(t, func(t *testing.T, x *child, name string) {
		for _, f := range flagsOf(name) {
			got := x.try(t, wordsOf(name, "--"+f[0]+"="), "")
			if want := fmt.Sprintf("%s: --%s is empty: want ", name, f[0]); got.Status != 2 || !strings.HasPrefix(got.Stderr, want) {
				t.Errorf("--%s=: %+v", f[0], got)
			}
		}
		if got := x.try(t, append(wordsOf(name, ""), ""), ""); got.Status != 2 || !strings.HasPrefix(got.Stderr, name+": an operand is empty") {
			t.Errorf("%+v", got)
		}
	})
}

// TestDashOutputs gives each flag of a command the value "-". It means standard input or output, or
// is an error, but never creates a file of this name.
func TestDashOutputs(t *testing.T) {
	eachCommand(t, func(t *testing.T, x *child, name string) {
		for _, f := range flagsOf(name) {
			for _, line := range append(lines[name], "") {
				words := append(wordsOf(name, line), "--"+f[0]+"=-")
				got := x.try(t, words, stdinOf(name))
				if _, err := os.Lstat(filepath.Join(x.dir, "-")); err == nil {
					t.Fatalf("%s creates a file: %+v", strings.Join(words, " "), got)
				}
			}
		}
	})
}

// TestNullInput checks that a command without operands does not read the null device or a closed
// standard input, and leaves its output unchanged, but that the operand - reads it.
func TestNullInput(t *testing.T) {
	needed := map[string]string{
		"dupreport": "--records r --decisions -", "dupreview": "--records r --keys q", "dupspan": "--records r", "jaccard": "--records r", "jaccgroup": "--records r", "keepdrop": "--drop r", "matchsub": "--records r",
		"doppel overlap": "--test r", "doppel cut": "--scores r",
	}
	// These commands read no standard input, always read it, or need an operand.
	without := strings.Fields("dupreport fuzzyseen doppel-audit doppel-dirs doppel-tui doppel-completions doppel-index doppel-filter doppel-pipeline doppel-text")
	for _, name := range commandNames(t) {
		if slices.Contains(without, strings.ReplaceAll(name, " ", "-")) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "r"), []byte(dataset("some text")), 0o600))
			line := name + " " + needed[name]
			if slices.ContainsFunc(flagsOf(name), func(f []string) bool { return f[0] == "output" }) && name != "dupreview" { // which continues its output
				must(t, os.WriteFile(filepath.Join(dir, "out"), []byte("data"), 0o600))
				line += " -o out"
			}
			if slices.ContainsFunc(flagsOf(name), func(f []string) bool { return f[0] == "keep-going" }) {
				line += " -k"
			}
			for _, from := range []string{"</dev/null", "<&-"} {
				c := exec.Command("sh", "-c", line+" "+from)
				c.Dir, c.Env = dir, append(os.Environ(), toolPath())
				r := run(c, "")
				if r.status != 2 || r.stdout != "" || !strings.Contains(r.stderr, name+": standard input is /dev/null or closed") {
					t.Errorf("%s %s: %+v", line, from, r)
				}
				if _, err := os.Stat(filepath.Join(dir, "out")); err == nil && read(t, filepath.Join(dir, "out")) != "data" {
					t.Errorf("%s %s: the output was replaced", line, from)
				}
			}
			for _, operand := range []string{"- </dev/null", "< r"} {
				c := exec.Command("sh", "-c", line+" "+operand)
				c.Dir, c.Env = dir, append(os.Environ(), toolPath())
				if r := run(c, ""); strings.Contains(r.stderr, "standard input is") {
					t.Errorf("%s %s: %+v", line, operand, r)
				}
			}
		})
	}
}

// extremes are the numbers that TestExtremes tries.
var extremes = strings.Fields("-1 0 2147483648 9223372036854775807 8T NaN 4.9e-324")

// moreExtremes are the numbers that it tries, too, if the environment variable EXTREMES is set.
var moreExtremes = strings.Fields("-9223372036854775808 1 2 1000000 4294967296 18446744073709551616 2147483647M 1e300 -Inf 0.9999999999999999")

// forms are the forms in which flags take numbers.
var forms = []string{"%s", "w%s", "c%s", "1:%s", "%s:2", "%s%%"}

// TestExtremes gives every flag that takes a number its extremes. The run must end with a status, 2
// if the number is never valid, and must not allocate memory in proportion to the number.
func TestExtremes(t *testing.T) {
	// Bytes that a run may allocate beyond what it allocates without the flag. The filter for --against
	// reserves up to 1 GiB of address space, but a small run touches little of it.
	const most, mostFilter = 192 << 20, 1<<30 + 192<<20
	eachCommand(t, func(t *testing.T, x *child, name string) {
		stagetest.Need(t, t.Name(), strings.Join(lines[name], "\n"))
		numbers := extremes
		if os.Getenv("EXTREMES") != "" {
			numbers = slices.Concat(extremes, moreExtremes)
		}
		for _, line := range lines[name] {
			usual := x.try(t, wordsOf(name, line), stdinOf(name))
			if usual.Status == 2 {
				t.Fatalf("%s %s: %+v", name, line, usual)
			}
			for _, f := range numericFlags(name) {
				for _, n := range numbers {
					value := fmt.Sprintf("--%s="+f[1], f[0], n)
					words := append(wordsOf(name, line), value)
					got := x.try(t, words, stdinOf(name))
					if neverValid(name, f[0], f[1], n) && (got.Status != 2 || !strings.Contains(got.Stderr, "--"+f[0])) {
						t.Errorf("%s: want status 2 and a message that names the flag: %+v", strings.Join(words, " "), got)
					}
					if got.Status > 2 || strings.Contains(got.Stderr, "runtime error") || strings.Contains(got.Stderr, "panic") {
						t.Errorf("%s: %+v", strings.Join(words, " "), got)
					}
					if more := got.Allocated - usual.Allocated; more > most && !(f[0] == "mem" && more <= mostFilter) {
						t.Errorf("%s: allocates %d bytes, and %d without the flag", strings.Join(words, " "), got.Allocated, usual.Allocated)
					}
				}
			}
		}
		if len(lines[name]) == 0 && !slices.Contains([]string{"doppel tui", "doppel completions"}, name) {
			t.Errorf("the table in options_test.go has no command line of %s", name)
		}
	})
}

// neverValid reports whether a flag accepts a number in no run: NaN, or a number below the least that
// the flag declares.
func neverValid(name, flag, form, n string) bool {
	c := cli.Find(strings.TrimPrefix(name, "doppel "))
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Options.Flags(fs)
	least, numeric := flagset.LeastOf(fs.Lookup(flag))
	switch {
	case form != "%s":
		return false
	case n == "0":
		return least > 0 || flag == "hot"
	case n == "-1":
		return !numeric || least > -1
	}
	return n == "NaN"
}

// numericFlags returns the flags of a command that take a number: their long names and the forms of
// their values.
func numericFlags(name string) (all [][2]string) {
	c := cli.Find(strings.TrimPrefix(name, "doppel "))
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	c.Options.Flags(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		// --repeat writes the requested number of copies.
		if f.Value.Set("no such value") == nil || f.NoOptDefVal != "" || f.Name == "repeat" {
			return
		}
		for _, form := range forms {
			if f.Value.Set(fmt.Sprintf(form, "30")) == nil {
				all = append(all, [2]string{f.Name, form})
			}
		}
	})
	return all
}
