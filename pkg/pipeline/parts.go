package pipeline

import (
	_ "embed"
	"encoding/json"
	"io"
	"path"
	"regexp"
	"strings"
	"text/template"

	"doppel/pkg/plan"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// Parts are a chain by its filters, for data in shards that many machines share:
// each shard is signed where it is, keys go to the part of their bucket, the pairs of
// a part and the texts that they are of to a bin, and all that remains is decided at
// once. Ids are those of -H. Equal to the chain on one machine, for no stage sees
// more than its lines.
//
// A pair goes to the bin of the least record that its first one is paired with, or of
// itself, so that those of a group mostly share a bin, and a text travels to one
// or two. A bin by the pair alone took texts to as many bins as they have pairs.
type Parts struct {
	Sign   plan.Stage  `json:"sign"`             // reads a shard, writes signatures
	Keys   plan.Stage  `json:"keys"`             // signatures to keys
	Pairs  plan.Stage  `json:"pairs"`            // keys of a part, in any order, to pairs
	Texts  *plan.Stage `json:"texts,omitempty"`  // reads a shard, writes the texts of a list of ids; nil: pairs are scored 1
	Verify *plan.Stage `json:"verify,omitempty"` // scores pairs by such texts
	Decide plan.Stage  `json:"decide"`           // scored pairs to decisions
	Apply  plan.Stage  `json:"apply"`            // decisions on a shard, and the shard, to what is kept of it
	Spans  bool        `json:"-"`                // Decide takes keys and all shards; there are no pairs

	Command string   `json:"-"` // that printed it
	Shards  []string `json:"-"`
	N       int      `json:"-"`
}

var (
	//go:embed parts.mk
	makefile string
	//go:embed passages.mk
	passagesMakefile string
	//go:embed parts.sh
	parallelScript string
)

// made is what make takes for one word that is one file.
var made = regexp.MustCompile(`^[A-Za-z0-9_./,+=@][-A-Za-z0-9_./,+=@]*$`)

// check refuses shards that have no results of their own, or whose order is not that
// of their ids, which says which of two records is the first.
func (p *Parts) check() error {
	seen := map[string]string{}
	for i, name := range p.Shards {
		switch base := path.Base(name); {
		case !made.MatchString(name):
			return wording.WithHint(tool.UsageError("%s: make takes no such name", name), "letters, digits and _-./,+=@ are taken")
		case seen[base] != "":
			return tool.UsageError("%s and %s: what is kept of both would have one name", seen[base], name)
		case i > 0 && p.Shards[i-1]+":" >= name+":":
			return wording.WithHint(tool.UsageError("%s comes before %s: ids have another order", p.Shards[i-1], name), "name shards in the order of LC_ALL=C sort")
		default:
			seen[base] = name
		}
	}
	if len(p.Shards) == 0 {
		return tool.UsageError("want the names of shards")
	}
	return nil
}

// print writes the chain in a form.
func (p *Parts) print(w io.Writer, f plan.Form) error {
	if f == plan.JSON {
		return json.NewEncoder(w).Encode(map[string]*Parts{"parts": p})
	}
	if err := p.check(); err != nil {
		return err
	}
	text := makefile
	if f == plan.Parallel {
		text = parallelScript
	}
	t := template.New("").Delims("[[", "]]").Funcs(template.FuncMap{
		"recipe": recipe, "number": wording.Number[int], "join": strings.Join, "base": path.Base, "next": func(i int) int { return i + 1 },
	})
	template.Must(t.New("passages").Parse(passagesMakefile))
	return template.Must(t.Parse(text)).Execute(w, p)
}

// Meet names what the keys of a part come to: the pairs that meet, or the keys that do.
func (p *Parts) Meet() string {
	if p.Spans {
		return "met"
	}
	return "pairs"
}

// recipe returns a command as make must see it.
func recipe(s plan.Stage) string { return strings.ReplaceAll(s.Shell(), "$", "$$") }
