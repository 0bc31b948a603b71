package model

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/cli"
	"doppel/pkg/stage/stagetest"
)

var every = flag.Int("every", 100, "one case of this number is also run by a shell and by make")

// without returns the case without some options.
func (c *Case) without(names string) *Case {
	fewer := *c
	fewer.Options = slices.DeleteFunc(slices.Clone(c.Options), func(o Option) bool { return slices.Contains(strings.Fields(names), o.Name) })
	return &fewer
}

// checkWays runs the chain that --print prints, and the same chain in parts.
func (m *model) checkWays(t *testing.T) string {
	var outputs []string
	for _, name := range []string{"output", "decisions", "groups", "removed", "scores", "saved"} {
		if name == "output" || name == "decisions" || m.Value(name) != "" || name == "saved" && m.Value("save") != "" {
			outputs = append(outputs, name)
		}
	}
	args := append([]string{"--hot=999", "--mem=1M"}, slices.DeleteFunc(slices.Clone(complete), func(arg string) bool { return arg == "--stats=json" })...)
	Exec(cli.Run, m.Args(args...)...)
	want := map[string]string{}
	for _, name := range outputs {
		want[name] = read(name)
		os.Remove(name)
	}
	if wrong := runPrinted(t, m.Args(append(args, "--print")...), nil); wrong != "" {
		return "the printed chain: " + wrong
	}
	for _, name := range outputs {
		if got := read(name); got != want[name] {
			return fmt.Sprintf("the printed chain: %s\n%swant\n%s", name, got, want[name])
		}
	}
	wrong := ""
	t.Run("parts", func(t *testing.T) {
		stagetest.Need(t, t.Name(), "bash") // make runs it
		wrong = cmp.Or(m.checkParts(t, 1), m.checkParts(t, 3))
	})
	return wrong
}

// runPrinted runs the script that a command prints.
func runPrinted(t *testing.T, args []string, script *exec.Cmd) string {
	r := Exec(cli.Run, args...)
	if r.Status != 0 {
		return fmt.Sprintf("%v: status %d: %s", args, r.Status, r.Stderr)
	}
	if script == nil {
		script = stagetest.Shell(t, "model", r.Stdout)
	} else if err := os.WriteFile("doppel.mk", []byte(r.Stdout), 0o600); err != nil {
		return err.Error()
	}
	if out, err := script.CombinedOutput(); err != nil {
		return fmt.Sprintf("%v: %v: %s\n%s", args, err, out, r.Stdout)
	}
	return ""
}

// checkParts runs a case in parts under make, unless parts do not support its options.
func (m *model) checkParts(t *testing.T, parts int) string {
	c := m.without("groups removed scores save annotate ids repeat cluster-size split least against only-against against-field against-id")
	if len(c.Options) < len(m.without("groups removed scores save repeat cluster-size").Options) || slices.ContainsFunc(m.Files, func(f File) bool { return len(f.Rows) == 0 }) {
		return ""
	}
	for _, dir := range []string{"kept", "doppel.work"} {
		if err := os.RemoveAll(dir); err != nil {
			return err.Error()
		}
	}
	args := c.Args("--bands=64", "--rows=1", "--slots=64", "--print=make", fmt.Sprint("--parts=", parts))
	if wrong := runPrinted(t, args, exec.Command("make", "-s", "-f", "doppel.mk", "NOSYNC=--no-sync")); wrong != "" {
		return fmt.Sprintf("%d parts: %s", parts, wrong)
	}
	got := ""
	for _, f := range m.Files {
		got += read("kept/" + f.Name)
	}
	if want := (&model{Case: c, docs: m.docs, verdicts: m.verdicts}).output(); got != want {
		return fmt.Sprintf("%d parts:\n%swant\n%s", parts, got, want)
	}
	return ""
}

// isAudited reports whether doppel audit can check a run.
func (m *model) isAudited() bool {
	signed := slices.ContainsFunc(m.docs, func(d *doc) bool { return d.signature })
	return m.Value("annotate")+m.Value("ids")+m.Value("against-id") == "" && !signed
}

// audit audits the last run.
func (m *model) audit(args ...string) Result {
	c := m.without("groups removed")
	c.Command = "audit"
	return Exec(cli.Run, c.Args(args...)...)
}

// checkTampering checks that an audit finds a kept record that is lost, a dropped record that is in
// the output, another score, and another kept record.
func (m *model) checkTampering() string {
	if !m.isAudited() || m.Value("split") != "" {
		return ""
	}
	output, decisions := read("output"), strings.SplitAfter(read("decisions"), "\n")
	outputs, lists := map[string]string{}, map[string]string{}
	if first, rest, ok := strings.Cut(output, "\n"); ok {
		outputs["without "+first] = rest
	}
	var drops []int // decisions to drop a record in favour of another
	for i, line := range decisions {
		f := strings.Split(line, "\t")
		if f[0] != "drop" {
			continue
		}
		d := m.find(f[1])
		outputs["with "+d.id] = output + d.row.JSON() + "\n"
		if f[2] == "-" {
			continue
		}
		drops = append(drops, i)
		if score := m.verdicts[d].score; score > 0 {
			lists["the score of "+d.id] = replaced(decisions, i, strings.Replace(line, cell(score, ""), cell(score-1, ""), 1))
		}
	}
	for _, i := range drops {
		f, other := strings.Split(decisions[i], "\t"), strings.Split(decisions[drops[0]], "\t")
		d, kept := m.find(f[1]), m.find(other[2])
		shared, all := overlap(d, kept)
		if score := m.verdicts[d].score; score >= 0 && 10000*shared/max(1, all) != score {
			lists["the kept record of "+d.id] = replaced(decisions, i, strings.Replace(decisions[i], f[2], kept.id, 1))
		}
	}
	for what, text := range outputs {
		if r := m.auditFiles(text, strings.Join(decisions, "")); r.Status != 1 {
			return fmt.Sprintf("audit accepts output %s: status %d: %s%s", what, r.Status, r.Stdout, r.Stderr)
		}
	}
	for what, text := range lists {
		if r := m.auditFiles(output, text); r.Status != 1 {
			return fmt.Sprintf("audit accepts another value: %s: status %d: %s%s", what, r.Status, r.Stdout, r.Stderr)
		}
	}
	return ""
}

func (m *model) auditFiles(output, decisions string) Result {
	for name, text := range map[string]string{"tampered": output, "edited": decisions} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return Result{Stderr: err.Error()}
		}
	}
	return m.audit("--decisions=edited", "--output=tampered")
}

// replaced returns the text of some lines, of which one is replaced.
func replaced(lines []string, i int, line string) string {
	lines = slices.Clone(lines)
	lines[i] = line
	return strings.Join(lines, "")
}

func (m *model) find(id string) *doc {
	return m.docs[slices.IndexFunc(m.docs, func(d *doc) bool { return d.id == id })]
}

// checkParquet runs a case on Parquet files.
func (m *model) checkParquet() string {
	c := m.without("groups removed scores save")
	if m.Seed%8 != 0 || m.Value("split")+m.Value("annotate")+m.Value("ids")+m.Value("cluster-size")+m.Value("repeat") != "" {
		return ""
	}
	var rows []string
	c.Files = slices.Clone(c.Files)
	for i, f := range m.Files {
		c.Files[i].Name = strings.TrimSuffix(f.Name, "jsonl") + "parquet"
		if _, err := runTool("reccat", "--no-sync", "-o", c.Files[i].Name, f.Name); err != nil {
			return "" // no record, or ranks of two types in one file
		}
		out, err := runTool("reccat", "--to=jsonl", c.Files[i].Name)
		if err != nil {
			return err.Error()
		}
		rows = append(rows, splitAfter(out)...)
	}
	want := ""
	for _, d := range m.inputOrder() {
		if !m.verdicts[d].drop && !m.discards(d.row) {
			want += rows[d.ordinal]
		}
	}
	os.Remove("output.parquet")
	r := Exec(cli.Run, c.Args("-j1", "--bands=64", "--rows=1", "--slots=64", "--no-sync", "--output=output.parquet")...)
	if strings.Contains(r.Stderr, "schema differs") { // ranks of two types
		return ""
	}
	got, err := runTool("reccat", "--to=jsonl", "output.parquet")
	if r.Status != 0 || err != nil || got != want {
		return fmt.Sprintf("Parquet: status %d: %s%v\n%swant\n%s", r.Status, r.Stderr, err, got, want)
	}
	return ""
}

func splitAfter(text string) []string {
	return slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return line == "" })
}
