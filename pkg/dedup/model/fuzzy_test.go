package model

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/cli"
)

var (
	cases = flag.Int("cases", 200, "number of random cases")
	first = flag.Uint64("first", 1, "seed of the first random case")
	all   = flag.Bool("all", false, "go on after a case that fails")
)

// A choice is an option that random cases may have. The option excludes those listed after it.
type choice struct {
	name     string
	values   string
	excludes string
}

// choices lists options of doppel fuzzy. A value is repeated to make it more likely.
var choices = []choice{
	{"shingle", "w2 w3 c1 c2 c3", ""},
	{"normalize", "none conservative aggressive", ""},
	{"rank", "last longest", ""},
	{"rank", "rank rank:desc", "split"},
	{"policy", "components", ""},
	{"keep", "none", "groups annotate"},
	{"counts", "true", ""},
	{"within", "src", "across"},
	{"across", "src", "within"},
	{"against", "1 2 s 1s s1 b 1b", "split scores"},
	{"against", "1 2 s 1s s1 b 1b", "split scores"},
	{"split", "lines paragraphs w2 w3", "against save groups annotate rank cluster-size repeat ids field"},
	{"field", "title text,title title,text", "split"},
	{"missing", "keep drop keep drop error", ""},
	{"save", "saved", "split"},
	{"groups", "groups", "split keep annotate"},
	{"scores", "scores", "against"},
	{"removed", "removed", "annotate ids"},
	{"annotate", "true", "removed ids cluster-size repeat split keep groups"},
	{"ids", "true", "annotate removed cluster-size repeat split"},
	{"cluster-size", "n", "annotate ids split"},
	{"repeat", "1:1,2:2,4:3 3:2,5:1", "annotate ids split"},
}

var thresholds = strings.Fields("0.25 0.3333 0.33333 0.4 0.5 0.5 0.6 0.66666 0.6667 0.75 0.8 0.83333 0.9 1")

// randomCase makes a case of doppel fuzzy with two to five options. Each slot is a band of its own,
// so all similar pairs are candidates: a pair of similarity 1/4 is missed with a probability of
// 2^-53.
func randomCase(r *rand.Rand, seed uint64) *Case {
	pick := func(values string) string { all := strings.Fields(values); return all[r.IntN(len(all))] }
	c := &Case{Seed: seed, Command: "fuzzy", Options: []Option{{"threshold", thresholds[r.IntN(len(thresholds))]}}}
	shape := Words
	for range 2 + r.IntN(4) {
		one := choices[r.IntN(len(choices))]
		clash := func(o Option) bool {
			return o.Name == one.name || slices.Contains(strings.Fields(one.excludes), o.Name)
		}
		if slices.ContainsFunc(c.Options, clash) {
			continue
		}
		switch value := pick(one.values); one.name {
		case "field":
			for name := range strings.SplitSeq(value, ",") {
				c.Options = append(c.Options, Option{"field", name})
			}
		case "against":
			c.addOld(r, value)
		case "split":
			shape.Join = pick(`- - b p`)
			shape.Join = map[string]string{"-": "\n", "b": " ", "p": "\n\n"}[shape.Join]
			c.Options = append(c.Options, Option{"split", value})
			if r.IntN(2) == 0 {
				c.Options = append(c.Options, Option{"least", pick("1 2 4 9")})
			}
		default:
			c.Options = append(c.Options, Option{one.name, value})
		}
	}
	if i := slices.Index(c.Options, Option{"missing", "drop"}); i >= 0 && c.Value("annotate") != "" {
		c.Options[i].Value = "keep" // --annotate refuses drop
	}
	if c.Value("shingle") == "" && r.IntN(8) > 0 {
		c.Options = append(c.Options, Option{"shingle", "w1"})
	}
	if shape.Join != " " {
		shape.Units = strings.Fields("a a,b a,b,c a,b,d b b,c e,f e,f,g e,f,h e,f,a k,l,m,n k,l,m,o")
		for i, unit := range shape.Units {
			shape.Units[i] = strings.ReplaceAll(unit, ",", " ")
		}
	}
	shape.Missing, shape.Lacking = strings.HasPrefix(c.Value("rank"), "rank"), c.Value("missing") != ""
	for i := range 1 + r.IntN(2) {
		c.Files = append(c.Files, File{fmt.Sprintf("n%d.jsonl", i+1), shape.Rows(r, r.IntN(12*(i+1)))})
	}
	c.complete(c.Files)
	for i := range c.Old { // some new texts are old, too
		for range r.IntN(4) {
			if from := c.Files[r.IntN(len(c.Files))].Rows; len(from) > 0 {
				row := from[r.IntN(len(from))]
				row.ID, row.Lack = fmt.Sprintf("k%d", len(c.Old[i].Rows)), ""
				c.Old[i].Rows = append(c.Old[i].Rows, row)
			}
		}
	}
	return c
}

// complete gives a text and a rank to a record, so that it is not an error that no record has one.
func (c *Case) complete(files []File) {
	for _, f := range files {
		if len(f.Rows) > 0 {
			f.Rows[0].Lack, f.Rows[0].Rank = "", "1"
		}
	}
}

// addOld adds old data: a digit stands for a number of datasets, s for a file of signatures, and b
// for the signatures that two batches of data saved.
func (c *Case) addOld(r *rand.Rand, kinds string) {
	shape := Words
	how := c.Value("missing")
	shape.Lacking = r.IntN(3) == 0 && (how == "keep" || how == "drop" || !strings.ContainsAny(kinds, "sb"))
	for _, kind := range kinds {
		n := 1
		if kind == '2' || kind == 'b' {
			n = 2
		}
		for i := range n {
			base := fmt.Sprintf("o%d", len(c.Old)+1)
			c.Old = append(c.Old, File{base + ".jsonl", shape.Rows(r, 2+r.IntN(7))})
			suffix := map[rune]string{'s': ".sigs", 'b': ".saved"}[kind]
			if kind != 'b' || i == 0 {
				c.Options = append(c.Options, Option{"against", base + cmp.Or(suffix, ".jsonl")})
			}
		}
	}
	c.complete(c.Old)
	if r.IntN(3) == 0 {
		c.Options = append(c.Options, Option{"only-against", "true"})
	}
	if r.IntN(6) == 0 {
		c.Options = append(c.Options, Option{"against-field", "title"})
	}
	if r.IntN(4) == 0 && !strings.ContainsAny(kinds, "sb") {
		c.Options = append(c.Options, Option{"against-id", "id"})
	}
}

// complete holds arguments with which all similar pairs are candidates.
var complete = []string{"-j1", "--bands=64", "--rows=1", "--slots=64", "--no-sync", "--stats=json", "--decisions=decisions", "--output=output"}

// check runs a case and returns what differs from the model, or "". If t is nil, it starts no other
// processes.
func (c *Case) check(t *testing.T) (wrong string) {
	if err := c.Write(); err != nil {
		return err.Error()
	}
	if c.isRefused() {
		if r := Exec(cli.Run, c.Args(complete...)...); r.Status != 2 || !strings.Contains(r.Stderr, "text") {
			return fmt.Sprintf("status %d, want an error about a record without text: %s", r.Status, r.Stderr)
		}
		return ""
	}
	olds, estimates, err := c.readOld()
	if err != nil {
		return err.Error()
	}
	m := newModel(c, olds, estimates)
	for _, more := range [][]string{{"--mem=1M"}, {"--hot=999", "--mem=1M"}, {"--mem=1"}} {
		if wrong := m.checkRun(append(more, complete...)...); wrong != "" {
			return fmt.Sprintf("%v: %s", more, wrong)
		}
	}
	if wrong := m.checkCut(); wrong != "" {
		return "cut: " + wrong
	}
	if wrong := cmp.Or(m.checkAudit(), m.checkTampering(), m.checkParquet()); wrong != "" || t == nil || c.Seed%uint64(*every) > 0 {
		return wrong
	}
	return m.checkWays(t)
}

// isRefused reports whether a record without a text ends the run.
func (c *Case) isRefused() bool {
	if how := c.Value("missing"); how == "keep" || how == "drop" {
		return false
	}
	lacking := func(files []File, fields []string) bool {
		return slices.ContainsFunc(files, func(f File) bool {
			return slices.ContainsFunc(f.Rows, func(row Row) bool { return lacks(row, fields) })
		})
	}
	olds := slices.DeleteFunc(slices.Clone(c.Old), func(f File) bool { return !slices.Contains(c.Values("against"), f.Name) })
	return lacking(c.Files, c.Values("field")) || lacking(olds, c.oldFields())
}

// checkCut applies a threshold that is as high as that of the run, or higher, to its scores.
func (m *model) checkCut() string {
	if m.Value("scores") == "" || m.Value("split") != "" {
		return ""
	}
	c := *m.Case
	c.Command, c.Options = "cut", nil
	for _, o := range m.Options {
		switch {
		case o.Name == "threshold":
			i := int(m.Seed) % len(thresholds)
			c.Options = append(c.Options, Option{"threshold", max(o.Value, thresholds[i])})
		case slices.Contains(strings.Fields("rank policy keep counts scores removed cluster-size repeat field missing"), o.Name):
			c.Options = append(c.Options, o)
		}
	}
	want := *m.Case
	want.Options = append([]Option{{"threshold", c.Value("threshold")}}, m.Options...)
	os.Remove("cut")
	r := Exec(cli.Run, c.Args("--no-sync", "--output=cut")...)
	if got, want := read("cut"), newModel(&want, nil, nil).output(); r.Status != 0 || got != want {
		if m.Value("ids")+m.Value("annotate") != "" && r.Status == 0 {
			return ""
		}
		return fmt.Sprintf("%d %s%s\nwant\n%s", r.Status, r.Stderr, got, want)
	}
	return ""
}

// checkRun runs a case and compares all outputs.
func (m *model) checkRun(more ...string) string {
	for _, name := range []string{"output", "decisions", "groups", "removed", "scores", "saved"} {
		os.Remove(name)
	}
	r := Exec(cli.Run, m.Args(more...)...)
	if r.Status != 0 {
		return fmt.Sprintf("status %d: %s", r.Status, r.Stderr)
	}
	if got, want := read("output"), m.output(); got != want {
		return fmt.Sprintf("output\n%swant\n%s", got, want)
	}
	want := m.decisions()
	got := strings.Split(strings.TrimSuffix(read("decisions"), "\n"), "\n")
	if strings.HasPrefix(m.Value("rank"), "longest") && len(m.estimates) > 0 { // estimated pairs have no sizes
		slices.Sort(got)
		slices.Sort(want)
	}
	if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
		return fmt.Sprintf("decisions\n%s\nwant\n%s", got, want)
	}
	for name, want := range map[string]func() string{"groups": m.groups, "removed": m.removed} {
		if m.Value(name) == "" {
			continue
		}
		if got, want := read(name), want(); got != want {
			return fmt.Sprintf("%s\n%swant\n%s", name, got, want)
		}
	}
	if m.Value("scores") != "" {
		if wrong := m.checkScores(read("scores")); wrong != "" {
			return wrong
		}
	}
	return m.checkCounts(r.Stderr)
}

// read returns the contents of a file.
func read(name string) string {
	b, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// checkCounts compares the counts on standard error, and the ids of the saved signatures.
func (m *model) checkCounts(stderr string) string {
	var counts struct{ Records, Kept, Duplicates int }
	lines := strings.Split(strings.TrimSpace(stderr), "\n") // the last one has the counts
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &counts); err != nil {
		return fmt.Sprintf("%q: %v", stderr, err)
	}
	want := counts
	want.Records, want.Duplicates = 0, 0
	for _, f := range m.Files {
		want.Records += len(f.Rows)
	}
	var saved []string
	begin, n, discarded := map[string]int{}, 0, 0
	for _, f := range m.Files {
		begin[f.Name] = n
		n += len(f.Rows)
	}
	for _, d := range m.inputOrder() {
		if m.Value("split") == "" && m.verdicts[d].drop {
			want.Duplicates++
			continue
		}
		if m.discards(d.row) {
			continue
		}
		for _, f := range m.Files {
			if at := d.ordinal - begin[f.Name]; at >= 0 && at < len(f.Rows) {
				saved = append(saved, fmt.Sprintf("%s:%d", f.Name, at))
			}
		}
	}
	for _, f := range m.Files {
		for _, row := range f.Rows {
			if m.discards(row) {
				discarded++
			}
		}
	}
	if want.Kept = want.Records - want.Duplicates - discarded; counts != want {
		return fmt.Sprintf("%s, want %+v", stderr, want)
	}
	if m.Value("save") != "" {
		var got []string
		for line := range strings.Lines(read("saved")) {
			got = append(got, strings.Split(line, "\t")[0])
		}
		if !slices.Equal(got, saved) {
			return fmt.Sprintf("saved %v, want %v", got, saved)
		}
	}
	return ""
}

// checkAudit audits the last run, which must be right.
func (m *model) checkAudit() string {
	if !m.isAudited() {
		return ""
	}
	args := []string{"--decisions=decisions", "--output=output"}
	if m.Value("repeat")+m.Value("split") == "" {
		args = append(args, "--sample=1000")
	}
	r := m.audit(args...)
	if r.Status != 0 || !strings.Contains(r.Stdout, "no fault") {
		return fmt.Sprintf("audit: status %d: %s%s", r.Status, r.Stdout, r.Stderr)
	}
	if strings.Contains(r.Stdout, "sampled") && !strings.Contains(r.Stdout, "; 0 of") {
		return "audit: " + r.Stdout
	}
	return m.checkManifest(r, args[2:]...)
}

// checkManifest audits the last run by its manifest. The result must be that of the audit by options.
func (m *model) checkManifest(audited Result, args ...string) string {
	described := Exec(cli.Run, m.Args(append(slices.Clone(complete), "--manifest=run.json", "--finished")...)...)
	if described.Status != 0 {
		return fmt.Sprintf("--finished: status %d: %s", described.Status, described.Stderr)
	}
	r := Exec(cli.Run, append([]string{"audit", "run.json"}, args...)...)
	if _, result, _ := strings.Cut(r.Stdout, ", "); r.Status != 0 || result != audited.Stdout {
		return fmt.Sprintf("audit run.json: status %d: %s%snot %s", r.Status, r.Stdout, r.Stderr, audited.Stdout)
	}
	return ""
}

// TestFuzzy compares random runs of doppel fuzzy with the model.
func TestFuzzy(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := *first; seed < *first+uint64(*cases); seed++ {
		report(t, randomCase(rand.New(rand.NewPCG(seed, 0)), seed))
		if t.Failed() && !*all {
			return
		}
	}
}

// FuzzFuzzy draws the data and the options of a case from bytes.
func FuzzFuzzy(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("\x40\x80\xff\x00\x55\x21\x99"))
	f.Fuzz(func(t *testing.T, data []byte) {
		t.Chdir(t.TempDir())
		report(t, randomCase(rand.New(&draws{data, rand.NewPCG(1, 0)}), 1))
	})
}

// draws is a source of numbers that are taken from bytes, one byte for each, and are random after
// the last byte.
type draws struct {
	data []byte
	rest *rand.PCG
}

func (d *draws) Uint64() uint64 {
	if len(d.data) == 0 {
		return d.rest.Uint64()
	}
	b := d.data[0]
	d.data = d.data[1:]
	return uint64(b)<<56 | 1<<31
}

func report(t *testing.T, c *Case) {
	t.Helper()
	wrong := c.check(t)
	if wrong == "" {
		return
	}
	tries := 0
	small := Minimise(*c, func(c *Case) bool { tries++; return tries < 400 && kind(c.check(nil)) == kind(wrong) })
	t.Errorf("%s%s", small.String(), cmp.Or(small.check(nil), wrong))
}

// kind returns the beginning of a difference, which is the same for similar differences.
func kind(wrong string) string {
	first, _, _ := strings.Cut(wrong, "\n")
	return strings.Join(strings.Fields(first + " . . .")[:3], " ")
}
