package cmd_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// A choice is an option with one value, and the other options that it needs.
type choice struct {
	command, option, value string
	others                 []string
	form                   string // of the inputs; "" for the forms in turn
	fails                  bool   // the run must fail, in every way
}

// words returns the option as words of a command line.
func (c choice) words() []string {
	if c.value == "-" {
		return []string{"--" + c.option}
	}
	return []string{"--" + c.option + "=" + c.value}
}

// without lists the options that say nothing about the result, or that make no run.
var without = strings.Fields("help version progress no-progress verbose stats print dry-run parts batch plan sizes sample machines cores timed")

// choices reads testdata/options.tsv.
func choices(t *testing.T) (all []choice) {
	for line := range strings.Lines(read(t, "testdata/options.tsv")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for value := range strings.FieldsSeq(f[2]) {
			c := choice{command: f[0], option: f[1], value: value}
			for word := range strings.FieldsSeq(f[3]) {
				if form, ok := strings.CutPrefix(word, "@"); ok {
					c.form = form
				} else if word == "!" {
					c.fails = true
				} else {
					c.others = append(c.others, word)
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// wayForms are the inputs of each form. The first four take turns.
var wayForms = map[string][]string{
	"jsonl": {"a.jsonl", "b.jsonl"}, "csv": {"a.csv", "b.csv"}, "tsv": {"a.tsv", "b.tsv"}, "parquet": {"a.parquet", "b.parquet"}, "zst": {"a.jsonl.gz", "b.jsonl.zst"},
	"odd": {"a.data", "b.data"}, "semicolon": {"a.semi.csv", "b.semi.csv"}, "quoted": {"a.plain.csv", "b.plain.csv"}, "latin1": {"a.latin1.jsonl", "b.latin1.jsonl"},
	"damaged": {"a.damaged.jsonl", "b.jsonl"}, "partitions": {"lang=de/a.jsonl", "lang=en/b.jsonl"}, "text": {"a.txt", "b.txt"}, "hits": {"a.hits", "b.hits"},
}

var turns = strings.Fields("jsonl csv parquet zst")

// wayRecords returns the records of the tests: copies, chains of near-duplicates with one word
// changed each, shared paragraphs and sentences, and texts that are empty or without words.
func wayRecords() (all []map[string]any) {
	random := rand.New(rand.NewPCG(1, 1))
	text := func(n int) []string {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("word%d", random.IntN(4000))
		}
		return words
	}
	shared := strings.Join(text(12), " ")
	add := func(s string) {
		i := len(all)
		r := map[string]any{"id": fmt.Sprintf("r%02d", i), "text": s, "n": i * 7 % 5, "lang": []string{"en", "de"}[i%2]}
		if r["note"] = any(nil); i%3 > 0 {
			r["note"] = fmt.Sprintf("the note of %d records that say \"%s\"", i%4, strings.Fields(s + " nothing")[0])
		}
		all = append(all, r)
	}
	for family := range 5 {
		words := text(16 + 4*family)
		for range 5 {
			add(strings.Join(words, " "))
			words[random.IntN(len(words))] = fmt.Sprintf("other%d", random.IntN(900))
		}
		add(strings.Join(text(9), " ") + ".\n\n" + shared + ".\n" + strings.Join(text(5), " "))
	}
	add(all[3]["text"].(string))
	add(all[12]["text"].(string))
	for _, s := range []string{"", "", "-- --", "x"} {
		add(s)
	}
	random.Shuffle(len(all), func(i, j int) { all[i]["text"], all[j]["text"] = all[j]["text"], all[i]["text"] })
	return all
}

// writeWayInputs writes the inputs of all forms, and the files that options read.
func writeWayInputs(t *testing.T, dir string) {
	t.Helper()
	put := func(name, text string) {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	lines := func(records []map[string]any, omit string) string {
		var b strings.Builder
		for _, r := range records {
			r = maps.Clone(r)
			delete(r, omit)
			line, err := json.Marshal(r)
			must(t, err)
			b.Write(append(line, '\n'))
		}
		return b.String()
	}
	table := func(records []map[string]any, comma rune) string {
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Comma = comma
		w.Write([]string{"id", "text", "n", "lang", "note"})
		for _, r := range records {
			w.Write([]string{r["id"].(string), r["text"].(string), fmt.Sprint(r["n"]), r["lang"].(string), fmt.Sprint(cmp.Or[any](r["note"], ""))})
		}
		w.Flush()
		return b.String()
	}
	all := wayRecords()
	halves := map[string][]map[string]any{"a": all[:20], "b": all[20:], "old": {all[1], all[9], all[22]}}
	for _, r := range all[10:] {
		if len(r["text"].(string)) > 90 && len(halves["bench"]) < 5 {
			halves["bench"] = append(halves["bench"], r)
		}
	}
	for name, records := range halves {
		put(name+".jsonl", lines(records, ""))
		put(name+".csv", table(records, ','))
		put(name+".data", table(records, ','))
		put(name+".semi.csv", table(records, ';'))
		plain := "id,text,n,lang,note\n"
		for _, r := range records {
			plain += fmt.Sprintf("%s,%s,%d,%s,%s\n", r["id"], strings.ReplaceAll(r["text"].(string), "\n", " "), r["n"], r["lang"], "a 12\" note")
		}
		put(name+".plain.csv", plain)
		put(name+".tsv", strings.ReplaceAll(plain, ",", "\t"))
		put(name+".latin1.jsonl", strings.ReplaceAll(lines(records, ""), "other", "\xe9t\xe9"))
		put(name+".txt", lines(records, ""))
	}
	put("a.damaged.jsonl", strings.Replace(lines(all[:20], ""), "{\"id\":\"r07\"", "{\"id\":\"r07", 1))
	put("lang=de/a.jsonl", lines(all[:20], "lang"))
	put("lang=en/b.jsonl", lines(all[20:], "lang"))
	note, err := json.Marshal(map[string]any{"note": all[1]["text"]})
	must(t, err)
	put("notes.jsonl", string(note)+"\n")
	put("key", strings.Repeat("k", 32))
	c := stagetest.Shell(t, t.Name(), `set -e
for f in a b old bench; do reccat -o $f.parquet $f.jsonl; done
reccat -o a.jsonl.gz a.jsonl; reccat -o b.jsonl.zst b.jsonl
doppel fuzzy --stats none -t .5 --save sigs -o x old.jsonl
doppel fuzzy --stats none -t .3 --scores scores --manifest run.json -o x a.jsonl b.jsonl
doppel fuzzy --stats none -t .3 --scores scores.parquet --decisions decisions -o x a.jsonl b.jsonl
doppel fuzzy --stats none -t .3 --id id --scores idscores -o x a.jsonl b.jsonl
doppel fuzzy --stats none -t .3 -H --scores filescores -o x a.jsonl b.jsonl
doppel fuzzy --stats none -t .3 --field note --missing keep --scores notescores -o x a.jsonl b.jsonl
doppel fuzzy --stats none -t .3 --lines --scores linescores -o x a.txt b.txt
doppel exact --stats none --field text --save hashes -o x old.jsonl
doppel exact --stats none --field text --save hashes.zst -o x old.jsonl
recsign -H -m passage --length 20 old.jsonl | lshkeys - | LC_ALL=C sort > places
doppel measure a.jsonl > curve
for f in a b; do doppel overlap --stats none --test bench.jsonl --save $f.hits $f.jsonl; done
rm x`)
	c.Dir, c.Env = dir, append(os.Environ(), toolPath())
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// A waySet runs command lines in one directory, in every way.
type waySet struct {
	*child
	inputs map[string]bool
	runs   int // runs that succeeded
}

// newWays copies the inputs into a new directory.
func newWays(t *testing.T, made string) *waySet {
	dir := filepath.Join(t.TempDir(), "in")
	must(t, os.CopyFS(dir, os.DirFS(made)))
	w := &waySet{child: startChild(t, dir), inputs: map[string]bool{}}
	for name := range w.files(t) {
		w.inputs[name] = true
	}
	return w
}

// timeless matches what differs in the manifests of equal runs: the times, and the counts, which a
// printed script does not know.
var timeless = regexp.MustCompile(`(?m)^  "(?:start|seconds)": .*\n|^  "counts": \{\n(?:    .*\n)+  \},\n`)

// files returns the files that are not inputs, with their contents.
func (w *waySet) files(t *testing.T) map[string]string {
	all := map[string]string{}
	must(t, filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if name, _ := filepath.Rel(w.dir, path); !w.inputs[name] {
			all[name] = timeless.ReplaceAllString(read(t, path), "")
		}
		return nil
	}))
	return all
}

// clear removes what a run wrote.
func (w *waySet) clear(t *testing.T) {
	for name := range w.files(t) {
		must(t, os.Remove(filepath.Join(w.dir, name)))
	}
	for _, name := range []string{"o", "kept", "doppel.work"} {
		must(t, os.RemoveAll(filepath.Join(w.dir, name)))
	}
}

// shell runs a script, and returns standard output and the files that it wrote.
func (w *waySet) shell(t *testing.T, script string) (ending, map[string]string) {
	defer w.clear(t)
	r := run(in(w.dir, "/bin/sh", "-c", script), "")
	return ending{Status: r.status, Stdout: r.stdout, Stderr: r.stderr}, w.files(t)
}

// check runs a command line in every way, and returns the first difference. The words are
// the command, options, and files. Unless mayFail is set, the run must succeed. Make runs in
// one part or in three, in turn; with the environment variable WAYS, in both.
func (w *waySet) check(t *testing.T, words []string, mayFail bool) string {
	var quiet []string
	if words[0] != "groups" {
		quiet = append(quiet, "--stats=none")
	}
	r := run(in(w.dir, filepath.Join(bin, "doppel"), slices.Concat(words, quiet)...), "")
	direct, files := ending{Status: r.status, Stdout: r.stdout, Stderr: r.stderr}, w.files(t)
	w.clear(t)
	if direct.Status != 0 && !mayFail {
		return "the run fails: " + direct.Stderr
	}
	if words[0] != "overlap" {
		printed := w.try(t, slices.Concat(words, quiet, []string{"--print"}), "")
		if made := w.files(t); len(made) > 0 {
			return fmt.Sprintf("--print writes %d files", len(made))
		}
		if printed.Status != 0 {
			same := direct.Status == printed.Status && direct.Stderr == printed.Stderr
			if !same && (printed.Status != 2 || !namesOption(words, printed.Stderr)) {
				return fmt.Sprintf("--print is refused: %d %s\nthe run: %d %s", printed.Status, printed.Stderr, direct.Status, direct.Stderr)
			}
			return ""
		}
		shown, others := w.shell(t, printed.Stdout)
		if d := differ(direct, shown, files, others); d != "" {
			return "the printed chain: " + d + "\n" + printed.Stdout
		}
	}
	if direct.Status != 0 || words[0] == "cut" || words[0] == "groups" {
		return ""
	}
	w.runs++
	for _, parts := range []int{1, 3} {
		if parts == 1+w.runs%2*2 && os.Getenv("WAYS") == "" {
			continue
		}
		if d := w.checkMake(t, words, parts, direct.Stdout, files); d != "" {
			return fmt.Sprintf("make in %d parts: %s", parts, d)
		}
	}
	return ""
}

// differ compares two runs: status, standard output and files.
func differ(a, b ending, files, others map[string]string) string {
	switch {
	case a.Status != b.Status:
		return fmt.Sprintf("status %d, not %d: %s\nnot %s", b.Status, a.Status, b.Stderr, a.Stderr)
	case a.Status != 0: // a chain may have written lists before a later tool fails
		return ""
	case a.Stdout != b.Stdout:
		return fmt.Sprintf("standard output\n%.1500s\nnot\n%.1500s", b.Stdout, a.Stdout)
	}
	for name, text := range files {
		if others[name] != text {
			return fmt.Sprintf("%s is\n%.1500s\nnot\n%.1500s", name, others[name], text)
		}
	}
	for name := range others {
		if _, ok := files[name]; !ok {
			return "it also writes " + name
		}
	}
	return ""
}

// checkMake runs a command line in parts under make, and compares the records with those of the
// run. For doppel overlap, whose files TestMakeOverlap compares, it checks only that make succeeds.
// An option that make cannot carry is refused by name.
func (w *waySet) checkMake(t *testing.T, words []string, parts int, stdout string, files map[string]string) string {
	args := slices.Concat(words, []string{"--print=make"})
	if words[0] != "overlap" {
		args = append(args, fmt.Sprint("--parts=", parts))
	}
	printed := w.try(t, args, "")
	if printed.Status != 0 {
		if printed.Status != 2 || !namesOption(words, printed.Stderr) {
			return fmt.Sprintf("the refusal names no option: %d %s", printed.Status, printed.Stderr)
		}
		return ""
	}
	defer w.clear(t)
	must(t, os.WriteFile(filepath.Join(w.dir, "doppel.mk"), []byte(printed.Stdout), 0o600))
	if out, err := in(w.dir, "make", "-s", "-f", "doppel.mk").CombinedOutput(); err != nil {
		return fmt.Sprintf("%v\n%s", err, out)
	}
	if words[0] == "overlap" {
		return ""
	}
	want, got := w.rows(t, map[string]string{"out": stdout}), w.rows(t, w.below(t, "kept"))
	if got != want {
		return fmt.Sprintf("\n%snot\n%s", got, want)
	}
	return ""
}

// namesOption reports whether a message names one of the given options.
func namesOption(words []string, message string) bool {
	short := map[string]string{"-o": "--output", "--keep-going": "-k"}
	return slices.ContainsFunc(words[1:], func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return strings.HasPrefix(word, "-") && strings.Contains(message, cmp.Or(short[name], name))
	})
}

// below returns the files in a directory.
func (w *waySet) below(t *testing.T, dir string) map[string]string {
	some := map[string]string{}
	for name, text := range w.files(t) {
		if strings.HasPrefix(name, dir+"/") {
			some[name] = text
		}
	}
	return some
}

// rows returns the records of some files as JSON lines, by the order of the names of the files.
func (w *waySet) rows(t *testing.T, files map[string]string) string {
	args, dir := []string{"--to=jsonl"}, t.TempDir()
	for i, name := range slices.Sorted(maps.Keys(files)) {
		text, end := files[name], ".jsonl"
		switch {
		case strings.HasPrefix(text, "PAR1"):
			end = ".parquet"
		case strings.HasPrefix(text, "id,"):
			end = ".csv"
		case strings.HasPrefix(text, "id;"):
			end = ".csv"
			args = append(args, "--separator=;")
		case strings.HasPrefix(text, "\x1f\x8b"):
			end = ".jsonl.gz"
		case strings.HasPrefix(text, "\x28\xb5\x2f\xfd"):
			end = ".jsonl.zst"
		}
		file := filepath.Join(dir, fmt.Sprint(i, end))
		must(t, os.WriteFile(file, []byte(text), 0o600))
		args = append(args, file)
	}
	r := w.run(t, trial{Tool: "reccat", Args: args})
	if r.Status != 0 {
		t.Fatal(r.Stderr)
	}
	return r.Stdout
}

// cuts reports whether a command line cuts parts out of records, which is impossible in tables.
func cuts(words []string) bool {
	has := func(option string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, "--"+option) })
	}
	return words[0] == "passages" && !has("annotate") || has("split")
}

// fixedValues returns the values of an option with a fixed set of them, according to its help text.
func fixedValues(usage string) (values []string) {
	_, list, found := strings.Cut(regexp.MustCompile(` \([^)]*\)`).ReplaceAllString(usage, ""), ": ")
	if !found {
		return nil
	}
	for _, value := range regexp.MustCompile(`, or |, | or `).Split(list, -1) {
		value, _, _ = strings.Cut(value, " for ")
		if strings.Contains(value, " ") {
			return nil
		}
		if value == strings.ToLower(value) {
			values = append(values, value)
		}
	}
	return values
}

// TestPairsOfOptions runs pairs of options that are drawn at random. The environment variable PAIRS
// is the number of pairs for each command, and SEED the first seed.
func TestPairsOfOptions(t *testing.T) {
	stagetest.Need(t, t.Name(), "bash")
	made, n, first := t.TempDir(), 8, 1
	writeWayInputs(t, made)
	fmt.Sscan(os.Getenv("PAIRS"), &n)
	fmt.Sscan(os.Getenv("SEED"), &first)
	byCommand := map[string][]choice{}
	for _, c := range choices(t) {
		byCommand[c.command] = append(byCommand[c.command], c)
	}
	for command, all := range byCommand {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWays(t, made)
			for seed := first; seed < first+n; seed++ {
				random := rand.New(rand.NewPCG(uint64(seed), 0))
				a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
				if a.form != "" && b.form != "" && a.form != b.form {
					continue
				}
				form := cmp.Or(a.form, b.form, turns[seed%len(turns)])
				words := append([]string{command}, a.words()...)
				for _, word := range slices.Concat(a.others, b.words(), b.others) {
					name, _, _ := strings.Cut(word, "=")
					if !slices.ContainsFunc(words, func(w string) bool { return w == name || strings.HasPrefix(w, name+"=") }) {
						words = append(words, word)
					}
				}
				if d := w.check(t, append(words, wayForms[form]...), true); d != "" {
					t.Errorf("seed %d: %s %s: %s", seed, strings.Join(words, " "), strings.Join(wayForms[form], " "), d)
				}
			}
		})
	}
}

// TestEveryOption runs each option of the table in every way that can carry it: in one process, as the printed
// chain under a shell, and under make in one part or in three. All must write the same, or refuse the same.
func TestEveryOption(t *testing.T) {
	stagetest.Need(t, t.Name(), "bash")
	made := t.TempDir()
	writeWayInputs(t, made)
	byCommand := map[string][]choice{}
	for _, c := range choices(t) {
		byCommand[c.command] = append(byCommand[c.command], c)
	}
	for command, all := range byCommand {
		for _, f := range flagsOf("doppel " + command) {
			if slices.Contains(without, f[0]) {
				continue
			}
			var values []string
			for _, c := range all {
				if c.option == f[0] {
					values = append(values, c.value)
				}
			}
			fixed := fixedValues(f[3])
			for _, named := range f[5:] { // values besides the names of fields, say
				value, _, _ := strings.Cut(named, "=")
				fixed = append(fixed, value)
			}
			for _, value := range fixed {
				if !slices.Contains(values, value) {
					t.Errorf("testdata/options.tsv has no --%s=%s of doppel %s", f[0], value, command)
				}
			}
			if len(values) == 0 {
				t.Errorf("testdata/options.tsv has no --%s of doppel %s", f[0], command)
			}
		}
		for i, some := range slices.Collect(slices.Chunk(all, 25)) {
			t.Run(fmt.Sprintf("%s%d", command, i), func(t *testing.T) {
				t.Parallel()
				w := newWays(t, made)
				for j, c := range some {
					form := cmp.Or(c.form, turns[j%len(turns)])
					words := slices.Concat([]string{c.command}, c.words(), c.others, wayForms[form])
					fails := c.fails || cuts(words) && strings.Contains(words[len(words)-1], ".csv")
					if d := w.check(t, words, fails); d != "" {
						t.Errorf("%s: %s", strings.Join(words, " "), d)
					}
				}
			})
		}
	}
}
