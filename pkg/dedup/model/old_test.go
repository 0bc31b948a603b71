package model

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// runTool runs a tool and fails if the tool does.
func runTool(name string, args ...string) (string, error) {
	r := Exec(func(std tool.Std) int { return tool.Run(toolbox.Find(name), std) }, args...)
	if r.Status != 0 {
		return "", fmt.Errorf("%s %v: status %d: %s", name, args, r.Status, r.Stderr)
	}
	return r.Stdout, nil
}

// oldFields returns the fields of old texts.
func (c *Case) oldFields() []string {
	if name := c.Value("against-field"); name != "" {
		return []string{name}
	}
	return c.Values("field")
}

// signing returns the arguments with which recsign signs the records of a case.
func (c *Case) signing(fields []string) (args []string) {
	args = []string{"--slots=64"}
	for _, name := range []string{"shingle", "normalize", "within", "across", "missing"} {
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
	for i := 0; i < len(c.Old); i++ {
		f := c.Old[i]
		base := strings.TrimSuffix(f.Name, "jsonl")
		isGiven := func(suffix string) bool { return slices.Contains(c.Values("against"), base+suffix) }
		switch {
		case isGiven("jsonl"):
			docs := c.oldDocs(f)
			if c.Value("against-id") != "" {
				for _, d := range docs {
					d.id = f.Name + ":" + d.row.ID
				}
				c.sortOld(docs)
			}
			olds = append(olds, docs...)
		case isGiven("sigs"):
			if _, err = runTool("recsign", append(c.signing(c.oldFields()), "-H", "-o", base+"sigs", f.Name)...); err != nil {
				return nil, nil, err
			}
			docs := signatures(c.oldDocs(f))
			err = c.estimate(docs, base+"sigs", estimates)
			olds = append(olds, docs...)
		case isGiven("saved"):
			var docs []*doc
			if docs, err = c.archive(c.Old[i:i+2], base+"saved"); err == nil {
				err = c.estimate(docs, base+"saved", estimates)
			}
			olds = append(olds, docs...)
			i++
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return olds, estimates, nil
}

// oldDocs returns the records of an old dataset.
func (c *Case) oldDocs(f File) (docs []*doc) {
	for i, row := range f.Rows {
		d := &doc{id: fmt.Sprintf("%s:%d", f.Name, i), old: true, row: row, text: textOf(row, c.oldFields()), lacks: lacks(row, c.oldFields())}
		docs = append(docs, d)
	}
	return docs
}

// sortOld sorts old records by their ids. Of those with equal words, only the first one read is paired with new
// records, so the others follow it.
func (c *Case) sortOld(docs []*doc) {
	how := c.value("normalize", "balanced")
	first := map[*doc]string{} // the id of the first equal record
	for i, d := range docs {
		first[d] = d.id
		for _, other := range docs[:i] {
			if c.Value("across") == "" && (c.Value("within") == "" || other.row.Src == d.row.Src) && slices.Equal(words(other.text, how), words(d.text, how)) {
				first[d] = first[other]
				break
			}
		}
	}
	slices.SortStableFunc(docs, func(a, b *doc) int { return cmp.Compare(first[a], first[b]) })
}

func signatures(docs []*doc) []*doc {
	for _, d := range docs {
		d.signature = true
	}
	return docs
}

// archive writes a file of the signatures that runs over some datasets save. Each run compares its
// dataset with the archive of the runs before it. The result are the records in the archive.
func (c *Case) archive(files []File, name string) (archived []*doc, err error) {
	run := Case{Seed: c.Seed, Command: "fuzzy", Options: []Option{{"save", "saved"}}}
	for _, o := range c.Options {
		if slices.Contains([]string{"threshold", "shingle", "normalize", "within", "across", "missing"}, o.Name) {
			run.Options = append(run.Options, o)
		}
	}
	for _, field := range c.oldFields() {
		run.Options = append(run.Options, Option{"field", field})
	}
	var all []byte
	for _, f := range files {
		estimates := map[[2]string]int{}
		if run.Files = []File{f}; len(all) > 0 {
			if err := run.estimate(archived, name, estimates); err != nil {
				return nil, err
			}
		}
		m := newModel(&run, archived, estimates)
		if wrong := m.checkRun(slices.Concat([]string{"--mem=1M"}, complete)...); wrong != "" {
			return nil, fmt.Errorf("the run over %s: %s", f.Name, wrong)
		}
		saved, err := os.ReadFile("saved")
		if err != nil {
			return nil, err
		}
		if all = append(all, saved...); len(archived) == 0 {
			run.Options = append(run.Options, Option{"against", name})
		}
		if err := os.WriteFile(name, all, 0o600); err != nil {
			return nil, err
		}
		for _, d := range m.inputOrder() {
			if !m.verdicts[d].drop && !m.discards(d.row) {
				archived = append(archived, signatures(run.oldDocs(f)[d.ordinal:d.ordinal+1])...)
			}
		}
	}
	return archived, nil
}

// estimate adds the estimated scores of all pairs of an old record, whose signature is in the file
// sigs, and a new one.
func (c *Case) estimate(olds []*doc, sigs string, estimates map[[2]string]int) error {
	var pairs bytes.Buffer
	m := model{Case: c}
	hasGrams := func(d *doc) bool {
		return !d.lacks && len(shingles(d.text, c.value("shingle", "w3"), c.value("normalize", "balanced"))) > 0
	}
	for _, old := range olds {
		for _, d := range m.newDocs() {
			if hasGrams(old) && hasGrams(d) {
				fmt.Fprintf(&pairs, "%s\t%s\n", old.id, d.id)
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
	if err := os.WriteFile("pairs", pairs.Bytes(), 0o600); err != nil {
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
