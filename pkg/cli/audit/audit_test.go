package audit_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/cli"
	"doppel/pkg/tool"
)

// A finishedRun describes a finished run: its directory, and the lines of its files.
type finishedRun struct {
	args          []string // arguments of doppel audit, without file names
	in, out, d, s []string // lines of the input, the output, the decisions and the scores
	dir           string
}

// runDoppel runs doppel and returns its output, including messages, and its exit status.
func runDoppel(args ...string) (stdout string, status int) {
	var out, trouble bytes.Buffer
	status = cli.Run(tool.Std{Program: "doppel", Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &trouble})
	return out.String() + trouble.String(), status
}

// finish runs a command on 44 records: 22 articles, and a copy of each. Unless the command is
// doppel exact, each copy begins with two additional words, such as "Once 3".
func finish(t *testing.T, command ...string) *finishedRun {
	t.Helper()
	r := &finishedRun{dir: t.TempDir()}
	articles := readLines(t, "../../../testdata/docs/articles.jsonl")
	r.in = slices.Clone(articles)
	for i, a := range articles {
		if command[0] != "exact" {
			a = strings.Replace(a, `"text": "`, fmt.Sprintf(`"text": "Once %d `, i), 1)
		}
		r.in = append(r.in, a)
	}
	r.write(t, "in.jsonl", r.in)
	args := append(command, "--stats", "none", "--decisions", r.name("d.tsv"), "-o", r.name("out.jsonl"))
	if command[0] == "fuzzy" {
		args = append(args, "--scores", r.name("s.tsv"))
	}
	if got, status := runDoppel(append(args, r.name("in.jsonl"))...); status != 0 {
		t.Fatal(got)
	}
	r.out, r.d = readLines(t, r.name("out.jsonl")), readLines(t, r.name("d.tsv"))
	r.args = append([]string{"audit", "--of", command[0]}, command[1:]...)
	if command[0] == "fuzzy" {
		r.s = readLines(t, r.name("s.tsv"))
	}
	return r
}

func (r *finishedRun) name(file string) string { return filepath.Join(r.dir, file) }

func (r *finishedRun) write(t *testing.T, name string, lines []string) {
	t.Helper()
	if err := os.WriteFile(r.name(name), []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// audit writes the files of the run, with any planted faults, and runs doppel audit on them.
func (r *finishedRun) audit(t *testing.T, flags ...string) (string, int) {
	t.Helper()
	r.write(t, "out.jsonl", r.out)
	r.write(t, "d.tsv", r.d)
	args := append(slices.Clone(r.args), flags...)
	args = append(args, "--decisions", r.name("d.tsv"), "-o", r.name("out.jsonl"))
	if r.s != nil {
		r.write(t, "s.tsv", r.s)
		args = append(args, "--scores", r.name("s.tsv"))
	}
	got, status := runDoppel(append(args, r.name("in.jsonl"))...)
	got, _, _ = strings.Cut(got, "doppel audit: if the run had ") // the note about options that may be missing
	return strings.ReplaceAll(got, r.dir+"/", ""), status
}

// readLines returns the lines of a file.
func readLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(data)))
}

// drop returns the index and the columns of the nth drop decision; n starts at 0.
func (r *finishedRun) drop(n int) (at int, columns []string) {
	for i, line := range r.d {
		if strings.HasPrefix(line, "drop") {
			if n--; n < 0 {
				return i, strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			}
		}
	}
	panic("no such line")
}

// set changes a column of the nth drop decision.
func (r *finishedRun) set(n, column int, value string) {
	at, columns := r.drop(n)
	columns[column] = value
	r.d[at] = strings.Join(columns, "\t") + "\n"
}

// These are the indices of the columns of a decision.
const (
	idColumn = 1 + iota
	keptColumn
	scoreColumn
	reasonColumn
)

// planted lists faults to plant in a correct run, each with the first message that doppel audit
// must then print.
var planted = []struct {
	name  string
	of    string
	plant func(r *finishedRun)
	want  string
}{
	{"a record is lost", "fuzzy", func(r *finishedRun) { r.out = slices.Delete(r.out, 6, 7) }, "in.jsonl:7: record 6 is lost"},
	{"a record is there twice", "fuzzy", func(r *finishedRun) { r.out = slices.Insert(r.out, 5, r.out[3]) }, "out.jsonl:6: record 5 of the output is written once too often"},
	{"a byte differs", "fuzzy", func(r *finishedRun) { r.out[4] = strings.Replace(r.out[4], "e", "E", 1) }, "in.jsonl:5: record 4 differs in the output, at out.jsonl:5"},
	{"two are out of order", "fuzzy", func(r *finishedRun) { r.out[2], r.out[3] = r.out[3], r.out[2] }, "in.jsonl:3: record 2 is out of order"},
	{"one is much too early", "fuzzy", func(r *finishedRun) { r.out = slices.Insert(slices.Delete(r.out, 9, 10), 1, r.out[9]) }, "is out of order: it is at out.jsonl:2, before"},
	{"a foreign record", "fuzzy", func(r *finishedRun) { r.out = slices.Insert(r.out, 7, `{"text":"mine"}`+"\n") }, "out.jsonl:8: record 7 of the output is not the record of the input in this place"},
	{"a score is off by .01", "fuzzy", func(r *finishedRun) {
		at, c := r.drop(3)
		r.d[at] = strings.Replace(r.d[at], "\t"+c[scoreColumn]+"\t", "\t0.9"+string(c[scoreColumn][3]^1)+c[scoreColumn][4:]+"\t", 1)
	}, "is scored 0."},
	{"a drop is below the threshold", "fuzzy", func(r *finishedRun) { r.set(0, keptColumn, "1") }, "below the threshold, to record 1"},
	{"a reason of a lower threshold", "fuzzy", func(r *finishedRun) { r.set(0, reasonColumn, "score>=0.1") }, `is dropped by "score>=0.1", but the audit has --threshold 0.8`},
	{"the kept one is dropped", "fuzzy", func(r *finishedRun) { _, c := r.drop(0); r.set(1, keptColumn, c[idColumn]) }, "which is dropped, too"},
	{"the kept one does not exist", "fuzzy", func(r *finishedRun) { r.set(2, keptColumn, "4400000000000") }, `is dropped in favour of "4400000000000", which does not exist`},
	{"the dropped one does not exist", "fuzzy", func(r *finishedRun) { r.d = append(r.d, "drop\t44\t1\t1.0000\tscore>=0.8\n") }, "record 44 does not exist: the input has 44 records"},
	{"dropped for itself", "fuzzy", func(r *finishedRun) { _, c := r.drop(0); r.set(0, keptColumn, c[idColumn]) }, "is dropped in favour of itself"},
	{"no kept one is named", "fuzzy", func(r *finishedRun) { r.set(0, keptColumn, "-") }, "is dropped, but no kept record is named"},
	{"no score is named", "fuzzy", func(r *finishedRun) { r.set(0, scoreColumn, "-") }, "without a score"},
	{"an exact drop of a lower score", "exact", func(r *finishedRun) { r.set(0, scoreColumn, "0.9000") }, "is scored 0.9000, and is equal to"},
	{"an id is decided twice", "fuzzy", func(r *finishedRun) { r.d = append(r.d, r.d[3]) }, "is decided twice"},
	{"kept and dropped", "fuzzy", func(r *finishedRun) { _, c := r.drop(2); r.d = append(r.d, "keep\t"+c[idColumn]+"\t-\t-\tbest\n") }, "is decided twice"},
	{"a decision is missing", "fuzzy", func(r *finishedRun) { at, _ := r.drop(2); r.d = slices.Delete(r.d, at, at+1) }, "is lost"},
	{"dropped, and in the output", "fuzzy", func(r *finishedRun) {
		r.d[slices.Index(r.d, "keep\t1\t-\t-\tbest\n")] = "drop\t1\t0\t0.9000\tscore>=0.8\n"
	}, "in.jsonl:2: record 1 is in the output, at out.jsonl:2, and dropped by d.tsv"},
	{"the output is cut short", "fuzzy", func(r *finishedRun) { n := len(r.out) - 1; r.out[n] = r.out[n][:20] }, "differs in the output"},
	{"the output ends early", "fuzzy", func(r *finishedRun) { r.out = r.out[:len(r.out)-2] }, "is lost: the output ends before it"},
	{"the last line has no end", "fuzzy", func(r *finishedRun) { n := len(r.out) - 1; r.out[n] = strings.TrimSuffix(r.out[n], "\n") }, "of the output is incomplete: the file is cut short"},
	{"a tail behind the output", "fuzzy", func(r *finishedRun) { r.out = append(r.out, "{\"text\":\"tail\"}\n") }, "of the output is not the record of the input in this place"},
	{"an empty line", "fuzzy", func(r *finishedRun) { r.out = slices.Insert(r.out, 3, "\n") }, "out.jsonl: has 1 byte more than its records"},
	{"the output is empty", "fuzzy", func(r *finishedRun) { r.out = nil }, "in.jsonl:1: record 0 is lost"},
	{"another order", "fuzzy", func(r *finishedRun) { slices.Reverse(r.out) }, "is out of order"},
	{"the output of another run", "fuzzy", func(r *finishedRun) { r.out = r.in }, "is in the output, at"},
	{"no record at all is dropped", "fuzzy", func(r *finishedRun) { r.d = nil }, "is lost"},
	{"a scored pair is another", "fuzzy", func(r *finishedRun) { r.s[0] = "0\t1" + r.s[0][strings.Index(r.s[0][2:], "\t")+2:] }, "s.tsv:1: record 0 is scored"},
	{"a size of a scored pair", "fuzzy", func(r *finishedRun) { r.s[1] = strings.TrimSuffix(r.s[1], "\n") + "1\n" }, "has sizes or containments that differ from the line"},
	{"a scored record does not exist", "fuzzy", func(r *finishedRun) { r.s[1] = "99" + r.s[1] }, "is not a record"},
	{"an exact drop of another text", "exact", func(r *finishedRun) { r.set(4, keptColumn, "1") }, "is not equal to record 1"},
	{"an exact drop by another reason", "exact", func(r *finishedRun) { r.set(4, reasonColumn, "score>=0.8") }, "is not a reason of doppel exact"},
	{"an exact copy is left", "exact", func(r *finishedRun) { at, _ := r.drop(4); r.d = slices.Delete(r.d, at, at+1) }, "is lost"},
	{"a span is cut elsewhere", "passages", func(r *finishedRun) { r.set(0, idColumn, shifted(r, 0, idColumn)) }, "differs in the output"},
	{"a span is not a duplicate", "passages", func(r *finishedRun) { r.set(1, keptColumn, shifted(r, 1, keptColumn)) }, "is not equal to record"},
	{"a span beyond its text", "passages", func(r *finishedRun) {
		_, c := r.drop(1)
		id, _, _ := strings.Cut(c[keptColumn], "#")
		r.set(1, keptColumn, id+"#0-99999")
	}, "longer than its text"},
	{"a span that is cut ends behind its text", "passages", func(r *finishedRun) {
		_, c := r.drop(1)
		id, _, _ := strings.Cut(c[idColumn], "#")
		r.set(1, idColumn, id+"#0-99999")
	}, "ends at byte 99999"},
	{"a span is decided twice", "passages", func(r *finishedRun) { at, _ := r.drop(1); r.d = append(r.d, r.d[at]) }, "dropped twice"},
	{"a span was not cut", "passages", func(r *finishedRun) { r.out[len(r.out)-1] = r.in[len(r.in)-1] }, "differs in the output"},
	{"a part is not alike", "split", func(r *finishedRun) { r.set(1, keptColumn, "0#0-40") }, "below the threshold"},
}

// shifted returns the span in the given column of the nth drop decision, with its start moved one
// byte forward.
func shifted(r *finishedRun, n, column int) string {
	_, c := r.drop(n)
	var id, start, end int
	fmt.Sscanf(c[column], "%d#%d-%d", &id, &start, &end)
	return fmt.Sprintf("%d#%d-%d", id, start+1, end)
}

// TestAuditFindsFaults checks that doppel audit accepts correct runs, and that it finds each
// planted fault.
func TestAuditFindsFaults(t *testing.T) {
	commands := map[string][]string{
		"fuzzy": {"fuzzy"}, "exact": {"exact"}, "passages": {"passages"},
		"split": {"fuzzy", "--split", "paragraphs", "--least", "100"},
	}
	for name, c := range commands {
		r := finish(t, c...)
		if r.args = r.args[:3]; name == "split" {
			r.s = nil
		}
		if got, status := r.audit(t); status != 0 || !strings.HasSuffix(got, ": no fault\n") {
			t.Errorf("%s: %d, %s", name, status, got)
		}
	}
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			r := finish(t, commands[p.of]...)
			if r.args = r.args[:3]; p.of == "split" {
				r.s = nil
			}
			p.plant(r)
			got, status := r.audit(t)
			if status != 1 || strings.Count(got, "\n") != 1 || !strings.Contains(got, p.want) {
				t.Errorf("status %d: %swant %q", status, got, p.want)
			}
			if all, status := r.audit(t, "-k"); status != 1 || !strings.HasPrefix(all, got) {
				t.Errorf("-k: status %d: %s", status, all)
			}
		})
	}
}
