// Package parts prints a chain that many machines can run on data in shards. It prints the chain as
// a makefile, as a script for GNU parallel, or as JSON.
package parts

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
)

// A Plan is a chain of filters for data in shards. Sign reads each shard where it is stored. The
// bucket of a key determines the part to which the key is sent. Each candidate pair is sent to a
// bin, with the texts of both records. One task makes all decisions from the scored pairs. Ids are
// file:ordinal, as with -H. The result equals the result of the chain on one machine, because each
// stage depends only on its input lines.
//
// The bin of a pair (a, b) depends on the record with the least id among the records r in pairs (r,
// a), or on a if there are none. So most pairs of a group share a bin, and a text is copied to one
// or two bins. If the bin depended only on the pair itself, a text would be copied once for each
// pair.
type Plan struct {
	Sign   plan.Stage  `json:"sign"`             // reads a shard and writes signatures
	Keys   plan.Stage  `json:"keys,omitzero"`    // converts signatures to keys
	Pairs  plan.Stage  `json:"pairs,omitzero"`   // converts the keys of a part, in any order, to candidate pairs
	Texts  *plan.Stage `json:"texts,omitempty"`  // reads a shard and writes the texts of the records with the listed ids; if nil, each pair has the score 1
	Verify *plan.Stage `json:"verify,omitempty"` // computes the scores of pairs from their texts
	Decide plan.Stage  `json:"decide"`           // converts scored pairs to decisions
	Apply  plan.Stage  `json:"apply,omitzero"`   // reads a shard and its decisions, and writes the kept records
	Spans  bool        `json:"-"`                // Decide reads keys and all shards, not pairs

	// Results are the files that Decide writes; the first one is the output named by -o. A plan
	// with Results has only the stages Sign and Decide: Sign uses --save to write one file per
	// shard, and Decide reads these files. If Results is nil, Apply writes the results.
	Results []string `json:"-"`

	Command string   `json:"-"` // name of the command that prints the plan
	Shards  []string `json:"-"`
	N       int      `json:"-"` // number of parts, and also of bins; in a plan with Results, number of shards
	Batch   int64    `json:"-"` // maximum total size of the shards that one task reads, in bytes; 0 means one shard per task
	Tree    bool     `json:"-"` // keep the paths of the shards in the names of the results
	NoSync  bool     `json:"-"` // do not sync files to disk
	Version string   `json:"-"` // version of doppel
	Sum     string   `json:"-"` // SHA-256 of the makefile without this sum

	Manifest string   `json:"-"` // file for the manifest of the run; "" for none
	Describe []string `json:"-"` // command that writes the manifest, without the names of files

	Makefile string `json:"-"` // for a script for GNU parallel: the makefile
}

var (
	//go:embed parts.mk
	makefile string
	//go:embed passages.mk
	passagesMakefile string
	//go:embed overlap.mk
	overlapMakefile string
	//go:embed parts.sh
	parallelScript string
)

// safeName matches the file names that need no quoting in a makefile.
var safeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./,+@][-A-Za-z0-9_./,+@=]*$`) })

// The makefile writes to these directories, so they must not contain shards.
const keptDirectory, workDirectory = "kept", "doppel.work"

var (
	phony      = []string{"all", "check", "steps", "keys", "pairs", "met", "bins", "texts", "scores", "decisions", keptDirectory, "verify"}
	phonyFound = []string{"all", "check", "steps", "found"} // phony targets if Plan.Results is not nil
)

// CleanShards returns the names of shards in the form to which make normalizes them, without "./".
// It rejects shards whose results would have the same name. It also rejects shards that are not in
// the order of their ids, because that order decides which of two records comes first. If tree is
// set, results keep the paths of their shards.
func CleanShards(shards []string, tree bool) ([]string, error) {
	all, err := cleanNames(shards, phony)
	if err != nil {
		return nil, err
	}
	seen := map[string]string{}
	for i, name := range all {
		dir, base := path.Split(name)
		switch {
		case strings.HasPrefix(dir, keptDirectory+"/"):
			return nil, inDirectory(shards[i])
		case tree && !filepath.IsLocal(name):
			return nil, msg.WithHint(tool.UsageError("%s: --tree needs a relative path, and this path would lead out of the directory of results", shards[i]), "print the makefile in a directory above all shards")
		case !tree && seen[base] != "":
			return nil, msg.WithHint(tool.UsageError("%s and %s: the results would have the same name", seen[base], shards[i]), "--tree keeps the paths of the shards below the directory of results")
		case i > 0 && all[i-1]+":" >= name+":":
			return nil, msg.WithHint(tool.UsageError("%s: must come after %s, in the order of the ids", shards[i-1], shards[i]), "name the shards in the order in which LC_ALL=C sort puts their names if each ends in a colon")
		}
		seen[base] = shards[i]
	}
	return all, nil
}

// CleanNames normalizes the names of shards and results for a makefile with Results. Unlike
// CleanShards, it accepts names in any order.
func CleanNames(names []string) ([]string, error) { return cleanNames(names, phonyFound) }

func cleanNames(shards, targets []string) ([]string, error) {
	all := make([]string, len(shards))
	for i, given := range shards {
		name := path.Clean(given)
		dir, base := path.Split(name)
		switch {
		case !safeName().MatchString(given), name[0] == '-':
			return nil, msg.WithHint(tool.UsageError("invalid shard name %q: unsafe in a makefile", given), "want letters, digits and _-./,+@=, with no - or = at the start")
		case base == "." || base == "..":
			return nil, tool.UsageError("%s: a directory, not a shard", given)
		case strings.Contains(strings.TrimLeft(given, "./"), "/../"):
			return nil, msg.WithHint(tool.UsageError("%s: make cannot handle .. after a directory", given), "name the shard without .., as in %s", name)
		case slices.Contains(targets, name):
			return nil, msg.WithHint(tool.UsageError("%s: already the name of a target of the makefile", given), "give the file another name")
		case strings.HasPrefix(dir, workDirectory+"/"):
			return nil, inDirectory(given)
		}
		all[i] = name
	}
	if len(all) == 0 {
		return nil, tool.UsageError("want the names of shards")
	}
	return all, nil
}

// inDirectory returns the error for a shard in a directory that the makefile writes to.
func inDirectory(given string) error {
	return msg.WithHint(tool.UsageError("%s: the makefile writes to this directory", given), "move the shard to another directory")
}

// Print writes the plan to w in syntax f.
func (p *Plan) Print(w io.Writer, f plan.Syntax) error {
	if f == plan.JSON {
		return json.NewEncoder(w).Encode(map[string]*Plan{"parts": p})
	}
	if p.Manifest != "" && (!safeName().MatchString(p.Manifest) || p.Manifest[0] == '-') {
		return tool.UsageError("--manifest %s: unsafe in a makefile: want letters, digits and _-./,+@=", p.Manifest)
	}
	recipe := func(s plan.Stage) string { return strings.ReplaceAll(s.Shell(), "$", "$$") } // make replaces $$ with $
	t := template.New("").Delims("[[", "]]").Funcs(template.FuncMap{
		"recipe": recipe,
		"concatenate": func() string {
			o := reccat.Default()
			o.Records.Lines = true
			return recipe(plan.Tool("reccat", &o))
		},
		"describe": func() string {
			return recipe(plan.Tool(p.Describe[0], &plan.System{Args: p.Describe[1:]}))
		},
		"number": msg.Number[int], "join": strings.Join, "next": func(i int) int { return i + 1 },
		"reads": func(s plan.Stage) bool { return strings.Contains(s.Shell(), "--records=") },
	})
	template.Must(t.New("passages").Parse(passagesMakefile))
	template.Must(t.New("overlap").Parse(overlapMakefile))
	template.Must(t.Parse(makefile))
	var made bytes.Buffer
	if err := t.Execute(&made, p); err != nil {
		return err
	}
	p.Sum = fmt.Sprintf("%x", sha256.Sum256(made.Bytes()))
	if f != plan.Parallel {
		return t.Execute(w, p)
	}
	made.Reset()
	if err := t.Execute(&made, p); err != nil {
		return err
	}
	p.Makefile = made.String()
	return template.Must(t.New("parallel").Parse(parallelScript)).Execute(w, p)
}

// mostShards is the maximum number of shards in a batch. It ensures that their names fit on a
// command line.
const mostShards = 500

// Batches divides the shards into batches of at most p.Batch bytes. One task processes a batch: it
// starts each program once, and writes one file of keys and one file of texts. A shard of more than
// p.Batch bytes, or of unknown size, such as an object in remote storage, is a separate batch.
func (p *Plan) Batches() (all [][]string) {
	left := int64(0) // number of bytes that still fit into the last batch
	for _, name := range p.Shards {
		size := p.Batch
		if info, err := os.Stat(name); err == nil {
			size = info.Size()
		}
		if n := len(all) - 1; n >= 0 && p.Batch > 0 && size <= left && len(all[n]) < mostShards {
			all[n] = append(all[n], name)
			left -= size
			continue
		}
		all, left = append(all, []string{name}), p.Batch-size
	}
	return all
}

// Meet returns the name that the makefile uses for the output of a part: "pairs" for pairs of
// records that share a key, or "met" for the shared keys.
func (p *Plan) Meet() string {
	if p.Spans {
		return "met"
	}
	return "pairs"
}
