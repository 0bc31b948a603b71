package model

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/front"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

var (
	cases = flag.Int("cases", 100, "number of random cases")
	first = flag.Uint64("first", 1, "seed of the first random case")
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
	{"against", "1 2 s 1s s1", "split scores"},
	{"against", "1 2 s 1s s1", "split scores"},
	{"split", "lines paragraphs w2 w3", "against save groups annotate rank cluster-size repeat ids field"},
	{"field", "title text,title title,text", "split"},
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
func randomCase(seed uint64) *Case {
	r := rand.New(rand.NewPCG(seed, 0))
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
				c.Options = append(c.Options, Option{"least", pick("0 2 4 9")})
			}
		default:
			c.Options = append(c.Options, Option{one.name, value})
		}
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
	for i := range 1 + r.IntN(2) {
		c.Files = append(c.Files, File{fmt.Sprintf("n%d.jsonl", i+1), shape.Rows(r, r.IntN(12*(i+1)))})
	}
	return c
}

// addOld adds old data: a digit stands for a number of datasets, s for a file of signatures.
func (c *Case) addOld(r *rand.Rand, kinds string) {
	for _, kind := range kinds {
		n := 1
		if kind == '2' {
			n = 2
		}
		for range n {
			name := fmt.Sprintf("o%d.jsonl", len(c.Old)+1)
			c.Old = append(c.Old, File{name, Words.Rows(r, 2+r.IntN(7))})
			if kind == 's' {
				name = strings.TrimSuffix(name, "jsonl") + "sigs"
			}
			c.Options = append(c.Options, Option{"against", name})
		}
	}
	if r.IntN(3) == 0 {
		c.Options = append(c.Options, Option{"only-against", "true"})
	}
	if r.IntN(6) == 0 {
		c.Options = append(c.Options, Option{"against-field", "title"})
	}
}

// complete holds arguments with which all similar pairs are candidates.
var complete = []string{"-j1", "--bands=64", "--rows=1", "--slots=64", "--no-sync", "--stats=json", "--decisions=decisions", "--output=output"}

// runTool runs a tool and fails if the tool does.
func runTool(name string, args ...string) (string, error) {
	r := Exec(func(std tool.Std) int { return tool.Run(toolbox.Find(name), std) }, args...)
	if r.Status != 0 {
		return "", fmt.Errorf("%s %v: status %d: %s", name, args, r.Status, r.Stderr)
	}
	return r.Stdout, nil
}

// signing returns the arguments with which recsign signs the records of a case.
func (c *Case) signing(fields []string) (args []string) {
	args = []string{"--slots=64"}
	for _, name := range []string{"shingle", "normalize", "within", "across"} {
		if value := c.Value(name); value != "" {
			args = append(args, "--"+name+"="+value)
		}
	}
	for _, field := range fields {
		args = append(args, "--field="+field)
	}
	return args
}

// readOld returns the old records of a case, in the order of their ids. It makes the files of
// signatures, and estimates their similarities to the new records with the tools.
func (c *Case) readOld() (olds []*doc, estimates map[[2]string]int, err error) {
	estimates = map[[2]string]int{}
	fields := c.Values("field")
	if name := c.Value("against-field"); name != "" {
		fields = []string{name}
	}
	for _, f := range c.Old {
		sigs := strings.TrimSuffix(f.Name, "jsonl") + "sigs"
		signed := slices.Contains(c.Values("against"), sigs)
		if !signed && !slices.Contains(c.Values("against"), f.Name) {
			continue
		}
		for i, row := range f.Rows {
			d := &doc{id: fmt.Sprintf("%s:%d", f.Name, i), old: true, signature: signed, ordinal: 0, row: row, text: textOf(row, fields)}
			olds = append(olds, d)
		}
		if signed {
			if err := c.estimate(f, sigs, fields, estimates); err != nil {
				return nil, nil, err
			}
		}
	}
	return olds, estimates, nil
}

// estimate signs old and new records and adds the estimated scores of all their pairs.
func (c *Case) estimate(f File, sigs string, fields []string, estimates map[[2]string]int) error {
	if _, err := runTool("recsign", append(c.signing(fields), "-H", "-o", sigs, f.Name)...); err != nil {
		return err
	}
	var pairs strings.Builder
	m := model{Case: c}
	for i, old := range f.Rows {
		for _, d := range m.newDocs() {
			how := []string{c.value("shingle", "w3"), c.value("normalize", "balanced")}
			if len(shingles(textOf(old, fields), how[0], how[1])) > 0 && len(shingles(d.text, how[0], how[1])) > 0 {
				fmt.Fprintf(&pairs, "%s:%d\t%s\n", f.Name, i, d.id)
			}
		}
	}
	args := c.signing(c.Values("field"))
	for _, f := range c.Files {
		args = append(args, f.Name)
	}
	if _, err := runTool("recsign", append(args, "-o", "new.sigs")...); err != nil {
		return err
	}
	if err := os.WriteFile("pairs", []byte(pairs.String()), 0o600); err != nil {
		return err
	}
	more := []string{"--sigs=new.sigs", "--against=" + sigs, "pairs"}
	if c.Value("against-field") != "" {
		more = append(more, "--against-field="+c.Value("against-field"))
	}
	out, err := runTool("jaccard", more...)
	for line := range strings.Lines(out) {
		var a, b string
		var score float64
		if _, err := fmt.Sscanf(line, "%s\t%s\t%f", &a, &b, &score); err != nil {
			return err
		}
		estimates[[2]string{a, b}] = int(score*10000 + .5)
	}
	return err
}

// check runs a case and returns what differs from the model, or "".
func (c *Case) check() (wrong string) {
	if err := c.Write(); err != nil {
		return err.Error()
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
	return m.checkAudit()
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
		case slices.Contains(strings.Fields("rank policy keep counts scores removed cluster-size repeat field"), o.Name):
			c.Options = append(c.Options, o)
		}
	}
	want := *m.Case
	want.Options = append([]Option{{"threshold", c.Value("threshold")}}, m.Options...)
	os.Remove("cut")
	r := Exec(front.Run, c.Args("--no-sync", "--output=cut")...)
	if got, want := read("cut"), newModel(&want, nil, nil).output(); r.Status != 0 || got != want {
		if m.Value("ids")+m.Value("annotate") != "" && r.Status == 0 {
			return ""
		}
		return fmt.Sprintf("%d %s%s\nwant\n%s", r.Status, r.Stderr, got, want)
	}
	return ""
}

// checkRun runs a case and compares all outputs. Only with more arguments, the run never uses
// recsieve, and writes all decisions to keep a record.
func (m *model) checkRun(more ...string) string {
	for _, name := range []string{"output", "decisions", "groups", "removed", "scores", "saved"} {
		os.Remove(name)
	}
	r := Exec(front.Run, m.Args(more...)...)
	if r.Status != 0 {
		return fmt.Sprintf("status %d: %s", r.Status, r.Stderr)
	}
	if got, want := read("output"), m.output(); got != want {
		return fmt.Sprintf("output\n%swant\n%s", got, want)
	}
	want := m.decisions()
	got := strings.Split(strings.TrimSuffix(read("decisions"), "\n"), "\n")
	needless := func(line string) bool { // decisions to keep a record in whose favour no record is dropped
		f := strings.Split(line, "\t")
		return f[0] == "keep" && !slices.ContainsFunc(want, func(other string) bool { return strings.Split(other, "\t")[2] == f[1] })
	}
	if more[0] != "--hot=999" && !slices.ContainsFunc(got, needless) {
		want = slices.DeleteFunc(want, needless)
	}
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

// read returns the contents of a file without its seal.
func read(name string) string {
	b, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	text := string(b)
	if seal, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(seal, "#doppel sealed") {
		return rest
	}
	return text
}

// checkCounts compares the counts on standard error, and the ids of the saved signatures.
func (m *model) checkCounts(stderr string) string {
	var counts struct{ Records, Kept, Duplicates int }
	if err := json.Unmarshal([]byte(stderr), &counts); err != nil {
		return fmt.Sprintf("%q: %v", stderr, err)
	}
	want := counts
	want.Records, want.Duplicates = 0, 0
	for _, f := range m.Files {
		want.Records += len(f.Rows)
	}
	var saved []string
	begin := map[string]int{}
	n := 0
	for _, f := range m.Files {
		begin[f.Name] = n
		n += len(f.Rows)
	}
	for _, d := range m.inputOrder() {
		if m.Value("split") == "" && m.verdicts[d].drop {
			want.Duplicates++
			continue
		}
		for _, f := range m.Files {
			if at := d.ordinal - begin[f.Name]; at >= 0 && at < len(f.Rows) {
				saved = append(saved, fmt.Sprintf("%s:%d", f.Name, at))
			}
		}
	}
	if want.Kept = want.Records - want.Duplicates; counts != want {
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
	signed := slices.ContainsFunc(m.Values("against"), func(name string) bool { return strings.HasSuffix(name, "sigs") })
	if m.Value("annotate")+m.Value("ids") != "" || signed {
		return ""
	}
	c := *m.Case
	c.Command, c.Options = "audit", nil
	for _, o := range m.Options {
		if !slices.Contains([]string{"groups", "removed"}, o.Name) {
			c.Options = append(c.Options, o)
		}
	}
	args := []string{"--decisions=decisions", "--output=output"}
	if m.Value("repeat")+m.Value("split") == "" {
		args = append(args, "--sample=1000")
	}
	r := Exec(front.Run, c.Args(args...)...)
	if r.Status != 0 || !strings.Contains(r.Stdout, "no fault") {
		return fmt.Sprintf("audit: status %d: %s%s", r.Status, r.Stdout, r.Stderr)
	}
	if strings.Contains(r.Stdout, "sampled") && !strings.Contains(r.Stdout, "; 0 of") {
		return "audit: " + r.Stdout
	}
	return ""
}

// TestFuzzy compares random runs of doppel fuzzy with the model.
func TestFuzzy(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := *first; seed < *first+uint64(*cases); seed++ {
		report(t, randomCase(seed))
		if t.Failed() {
			return
		}
	}
}

func report(t *testing.T, c *Case) {
	t.Helper()
	wrong := c.check()
	if wrong == "" {
		return
	}
	small := Minimise(*c, func(c *Case) bool { return kind(c.check()) == kind(wrong) })
	t.Errorf("%s%s", small.String(), small.check())
}

// kind returns the beginning of a difference, which is the same for similar differences.
func kind(wrong string) string {
	first, _, _ := strings.Cut(wrong, "\n")
	return strings.Join(strings.Fields(first + " . . .")[:3], " ")
}
