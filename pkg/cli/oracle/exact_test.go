package oracle_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// words returns the words of a text after a normalisation of recsign(1).
func words(how, text string) []string {
	if how == "aggressive" {
		text = norm.NFKD.String(text)
	}
	var spaced strings.Builder // with a space around each letter that is a word by itself
	for _, r := range strings.ToLower(text) {
		switch {
		case alone(r):
			spaced.WriteString(" " + string(r) + " ")
		case how == "conservative" || unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc):
			spaced.WriteRune(r)
		default:
			spaced.WriteByte(' ')
		}
	}
	return strings.Fields(spaced.String())
}

// keyOf returns the form in which the texts of some fields are compared. If no field has a word, the
// texts are compared unchanged. The form is "" if all texts are empty, because they equal no others.
func keyOf(how string, texts ...string) string {
	if strings.Join(texts, "") == "" {
		return ""
	}
	forms, any := []string{"words"}, false
	for _, text := range texts {
		w := words(how, text)
		forms, any = append(forms, strings.Join(w, " ")), any || len(w) > 0
	}
	if how == "" || !any {
		forms = texts
	}
	return fmt.Sprintf("%q", forms)
}

// textOf returns the value of a field as a text.
func textOf(r row, field string) string {
	if r[field] == nil {
		return ""
	}
	return fmt.Sprint(r[field])
}

// An item is a record, or a part of one, that doppel exact compares with others.
type item struct {
	r           row
	line        string // the record as it is in its file
	ordinal, at int    // position in all inputs, and in the record's own file
	file        string
	text        string // the text that is compared
	key         string // equal items have equal keys; "" if the item is equal to no other
	start, end  int    // bytes of a part in its text
}

// items returns the records of some datasets.
func (s *sample) items(datasets ...string) (all []*item) {
	for _, name := range datasets {
		for at, r := range s.data[name] {
			x := &item{r: r, line: s.line(r), ordinal: len(all), at: at, file: s.file(name)}
			x.text, x.key = x.line, "="+x.line
			fields := s.list("field")
			if len(fields) == 0 && s.has("split") {
				fields = []string{"text"}
			}
			if len(fields) > 0 {
				var texts []string
				for _, field := range fields {
					texts = append(texts, textOf(r, field))
				}
				x.text, x.key = strings.Join(texts, "\n"), keyOf(s.flags["normalize"], texts...)
			} else if s.form == "lines" {
				x.key = keyOf(s.flags["normalize"], x.text)
			}
			if x.key != "" && s.has("within") {
				x.key += "\x00" + textOf(r, s.flags["within"])
			}
			all = append(all, x)
		}
	}
	return all
}

// name returns the id of an item, as --id and --with-filename select it.
func (s *sample) name(x *item) string {
	id := fmt.Sprint(x.ordinal)
	if s.has("with-filename") {
		id = fmt.Sprint(x.at)
	}
	if s.has("id") {
		id = textOf(x.r, s.flags["id"])
	}
	if s.has("with-filename") {
		id = x.file + ":" + id
	}
	return id
}

// better compares two items by --rank: the result is negative if a is better.
func (s *sample) better(a, b *item) int {
	field, desc := strings.CutSuffix(s.flags["rank"], ":desc")
	c := 0
	switch field {
	case "", "first":
	case "last":
		c = b.ordinal - a.ordinal
	case "longest":
		c = len(b.line) - len(a.line)
	default:
		c = compareValues(textOf(a.r, field), textOf(b.r, field))
		if desc {
			c = -c
		}
	}
	return cmp.Or(c, a.ordinal-b.ordinal)
}

// compareValues compares two numbers, or two texts.
func compareValues(a, b string) int {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	if okX && okY {
		return x.Cmp(y)
	}
	return strings.Compare(a, b)
}

// A loss is the decision to drop an item.
type loss struct {
	x, kept *item // kept is nil if the decision names no kept copy
	old     string
	reason  string
	best    bool // the decision names no kept copy, but this item would be it
}

// decide returns the items that are dropped, in the order of the input. known maps the keys of old
// records to their ids.
func (s *sample) decide(all []*item, known map[string]string) (losses []loss) {
	groups := map[string][]*item{}
	for _, x := range all {
		groups[x.key] = append(groups[x.key], x)
	}
	for _, x := range all {
		group := groups[x.key]
		best := slices.MinFunc(group, s.better)
		value := func(x *item) string { return textOf(x.r, s.flags["across"]) }
		switch old, isOld := known[x.key]; {
		case x.key == "":
		case s.number("seen", 0) > 0:
			if n := s.number("seen", 0); len(group) >= n {
				losses = append(losses, loss{x: x, reason: fmt.Sprintf("seen>=%d", n), best: x == best})
			}
		case isOld:
			losses = append(losses, loss{x: x, old: old, reason: "duplicate"})
		case x != best && (!s.has("across") || value(x) != value(best)):
			losses = append(losses, loss{x: x, kept: best, reason: "duplicate"})
		}
	}
	return losses
}

// repeats returns how often a record of a cluster is written.
func (s *sample) repeats(size int) (times int) {
	times = 1
	for _, step := range strings.Split(s.flags["repeat"], ";") {
		var least, n int
		if k, _ := fmt.Sscanf(step, "%d:%d", &least, &n); k == 2 && size >= least {
			times = n
		}
	}
	return times
}

// sized returns a record with the size of its cluster.
func (s *sample) sized(x *item, size int) string {
	field := s.flags["cluster-size"]
	if field == "" {
		return x.line
	}
	r := row{}
	for name, value := range x.r {
		r[name] = value
	}
	if _, has := r[field]; has || s.form == "csv" && slices.Contains(columns, field) {
		r[field] = json.Number(fmt.Sprint(size))
		return s.line(r)
	}
	if s.form == "csv" {
		return fmt.Sprintf("%s,%d", x.line, size)
	}
	return fmt.Sprintf("%s,%q:%d}", strings.TrimSuffix(x.line, "}"), field, size)
}

// The texts that someParts returns have simple words and sentences.
var (
	splitWord = `(?:[\p{Han}\p{Hiragana}\p{Thai}]\p{M}*|[^ \n\p{Han}\p{Hiragana}\p{Thai}]+)`
	twoWords  = regexp.MustCompile(splitWord + `([ \n]*` + splitWord + `)?[ \n]*`)
	sentence  = regexp.MustCompile(`[^.\n]*[^.\n ][^.\n]*(\.[ ]*)?\n?([ ]*\n)*([ ]*$)?`)
)

// parts returns the parts of a record's text that --split compares.
func (s *sample) parts(x *item) (parts []*item) {
	add := func(start, end int) {
		text := strings.Trim(x.text[start:end], " \n")
		if len(text) < s.number("least", 0) {
			return
		}
		p := *x
		p.start, p.end = start, end
		p.key = keyOf(s.flags["normalize"], text) + "\x00" + textOf(x.r, s.flags["within"])
		parts = append(parts, &p)
	}
	blank := func(line string) bool { return strings.Trim(line, " \n") == "" }
	start, at, wasBlank := -1, 0, true
	switch how := s.flags["split"]; how {
	case "w2":
		for _, m := range twoWords.FindAllStringIndex(x.text, -1) {
			add(m[0], m[1])
		}
	case "sentences":
		for _, m := range sentence.FindAllStringIndex(x.text, -1) {
			add(m[0], m[1])
		}
	default:
		for _, line := range strings.SplitAfter(x.text, "\n") {
			if !blank(line) && (how == "lines" || wasBlank) {
				if start >= 0 {
					add(start, at)
				}
				start = at
			}
			wasBlank = blank(line)
			at += len(line)
		}
		if start >= 0 {
			add(start, at)
		}
	}
	return parts
}

// short reports whether less is left of a text than --min-left allows.
func (s *sample) short(left, size int) bool {
	limit := s.flags["min-left"]
	if n, ok := strings.CutSuffix(limit, "%"); ok {
		percent, _ := new(big.Rat).SetString(n)
		return new(big.Rat).SetInt64(int64(100*left)).Cmp(percent.Mul(percent, new(big.Rat).SetInt64(int64(size)))) < 0
	}
	return left < s.number("min-left", 0)
}

// An outcome is what a model expects of a run.
type outcome struct {
	out     []string // lines of the output
	losses  []loss   // dropped records or parts
	saved   []string // ids of saved hashes
	kept    int
	dropped int
}

// exactModel returns the outcome of doppel exact by its page.
func (s *sample) exactModel(known map[string]string, datasets ...string) (o outcome) {
	all := s.items(datasets...)
	if s.has("split") {
		return s.splitModel(all, known)
	}
	o.losses = s.decide(all, known)
	lost, sizes := map[*item]bool{}, map[*item]int{}
	for _, l := range o.losses {
		lost[l.x] = true
		sizes[l.kept]++
	}
	for _, x := range all {
		if !lost[x] && x.key != "" {
			o.saved = append(o.saved, s.name(x))
		}
		if lost[x] != s.has("duplicates") {
			o.dropped++
			continue
		}
		o.kept++
		line := s.sized(x, sizes[x]+1)
		if s.has("count") {
			line = fmt.Sprintf("%d\t%s", sizes[x]+1, line)
		}
		for range s.repeats(sizes[x] + 1) {
			o.out = append(o.out, line)
		}
	}
	if header := s.header(); header != "" {
		if field := s.flags["cluster-size"]; field != "" && !slices.Contains(columns, field) {
			header = strings.TrimSuffix(header, "\n") + "," + field + "\n"
		}
		o.out = append([]string{strings.TrimSuffix(header, "\n")}, o.out...)
	}
	return o
}

// splitModel returns the outcome of doppel exact --split.
func (s *sample) splitModel(all []*item, known map[string]string) (o outcome) {
	var parts []*item
	for _, x := range all {
		parts = append(parts, s.parts(x)...)
	}
	losses := s.decide(parts, known)
	lost := map[*item]bool{}
	for _, l := range losses {
		lost[l.x] = true
	}
	for _, p := range parts {
		if !lost[p] {
			o.saved = append(o.saved, fmt.Sprintf("%s#%d-%d", s.name(p), p.start, p.end))
		}
	}
	for _, x := range all {
		text, at, cut := "", 0, false
		for _, l := range losses {
			if l.x.ordinal == x.ordinal {
				text, at, cut = text+x.text[at:l.x.start], l.x.end, true
				o.losses = append(o.losses, l)
			}
		}
		text += x.text[at:]
		if cut && s.short(len(text), len(x.text)) {
			o.losses = append(o.losses, loss{x: x, reason: "left<" + s.flags["min-left"]})
			o.dropped++
			continue
		}
		r := row{}
		for name, value := range x.r {
			r[name] = value
		}
		r[cmp.Or(s.flags["field"], "text")] = text
		o.kept++
		if o.out = append(o.out, x.line); cut {
			o.out[len(o.out)-1] = s.line(r)
		}
	}
	return o
}

// validExact reports whether the page allows the options together.
func validExact(s *sample) bool {
	fields, split, rank := s.list("field"), s.has("split"), s.flags["rank"]
	whole := len(fields) == 0 && s.form != "lines" && !split
	names := s.has("removed") || s.has("decisions")
	chain := names || s.has("rank") || s.has("across")
	count, sizes := s.has("count") || s.has("duplicates"), s.has("cluster-size") || s.has("repeat")
	byField := rank != "" && rank != "first" && rank != "last" && rank != "longest"
	switch {
	case whole && (s.has("normalize") || s.has("within") || s.has("across") || byField || rank == "longest"),
		s.form == "lines" && (len(fields) > 0 || s.has("within") || s.has("across") || byField || s.has("cluster-size") || s.has("id")),
		s.has("within") && s.has("across"), s.has("across") && (s.has("rank") || s.has("seen") || s.has("against")),
		chain && (count || s.has("verify") || s.has("save")),
		s.has("count") && (s.has("duplicates") || s.form == "csv"), sizes && count, s.has("verify") && s.has("against"),
		s.has("force-field") && !s.has("cluster-size"), s.flags["cluster-size"] == "rank" && !s.has("force-field"),
		s.has("id") && !s.has("save") && !names, s.has("with-filename") && !s.has("save") && !names,
		s.has("id") && s.has("save"), // an id may occur twice
		split && (s.form != "jsonl" || len(fields) > 1 || sizes || count || s.has("rank")),
		!split && (s.has("seen") || s.has("least") || s.has("min-left")),
		s.has("seen") && (s.has("verify") || s.has("against") || s.has("save")):
		return false
	}
	return true
}

// someTexts returns texts of which many are equal after some normalisation.
func someTexts(r *rand.Rand) []string {
	pool := []string{"", "cat", "Cat", "cat!", " cat ", "dog", "!!!", "???", "a b", "a  b", "b a", "A\u00a0B", "été", "e\u0301te\u0301", "ｃａｔ", "1", "\n", "a\nb", "a, b", "x_y", "½", "2½", "漢字", "漢 字"}
	r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	return pool[:2+r.IntN(5)]
}

// someParts returns a text of lines, sentences and blank lines.
func someParts(r *rand.Rand, how string) string {
	some := []string{"One.", "Two.", "Three é.", "Two ", "Four", "漢字"}
	if how != "sentences" {
		some = append(some, "!!!", "one")
	}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pick(r, some...))
		b.WriteString(pick(r, "\n", "\n\n", " ", "\n \n", "\n"))
	}
	return pick(r, "", "", "", "\n", "\n\n", "  ", " \n") + strings.TrimRight(b.String(), pick(r, "", " \n"))
}

func drawExact(r *rand.Rand) *sample {
	s := &sample{command: "exact", flags: map[string]string{}, data: map[string][]row{}, form: pick(r, "jsonl", "jsonl", "jsonl", "csv", "lines"), ascii: r.IntN(2) == 0}
	s.flags["field"] = pick(r, "", "text", "text", "text", "note", "text,note")
	if s.form == "jsonl" && r.IntN(3) == 0 {
		s.flags["split"] = pick(r, "lines", "paragraphs", "w2", "sentences")
	}
	more := map[string]string{
		"normalize": pick(r, "conservative", "balanced", "aggressive"), "within": "src", "across": "src",
		"rank": pick(r, "first", "last", "longest", "rank", "rank:desc"), "count": "yes", "duplicates": "yes", "verify": "yes",
		"removed": "@removed", "decisions": "@decisions", "cluster-size": pick(r, "size", "rank"), "force-field": "yes",
		"repeat": pick(r, "2:2;3:4", "1:2"), "against": "@sums", "save": "@saved", "id": "id", "with-filename": "yes",
		"mem": pick(r, "1", "1K"), "jobs": pick(r, "1", "3"), "key": "@key",
	}
	if s.flags["split"] != "" {
		more["seen"], more["least"], more["min-left"] = pick(r, "2", "3"), pick(r, "2", "4"), pick(r, "3", "6", "20%", "33.4%", "50%")
	}
	names := make([]string, 0, len(more))
	for name := range more {
		names = append(names, name)
	}
	slices.Sort(names)
	for range 2 + r.IntN(4) {
		name := pick(r, names...)
		s.flags[name] = more[name]
	}
	if r.IntN(4) == 0 {
		s.flags["within"] = "src"
	}
	if s.flags["field"] == "" {
		delete(s.flags, "field")
	}
	texts, numeric := someTexts(r), r.IntN(2) == 0
	sets := []string{"a"}
	if r.IntN(4) == 0 {
		sets = append(sets, "b")
	}
	if s.has("against") {
		sets = append(sets, "old")
	}
	for _, name := range sets {
		s.data[name] = []row{}
		for i := range 1 + r.IntN(9) {
			line := row{"id": fmt.Sprintf("r%d", i), "text": pick(r, texts...), "note": pick(r, texts...), "src": pick(r, "p", "q", texts[0], texts[1], texts[1])}
			if s.has("split") {
				line["text"], line["note"] = someParts(r, s.flags["split"]), someParts(r, s.flags["split"])
			}
			if line["rank"] = json.Number(pick(r, "1", "2", "2.0", "-3", "1e1", "9007199254740993", "9007199254740992")); !numeric {
				line["rank"] = pick(r, "x", "y", "yy")
			}
			if s.form == "lines" {
				line = row{"text": strings.ReplaceAll(line["text"].(string), "\n", " ")}
			}
			s.data[name] = append(s.data[name], line)
		}
	}
	return s
}

func checkExact(b bench, s *sample) string {
	b.write(s)
	b.put("key", "0123456789abcdef0123456789abcdef")
	names := []string{"a"}
	if s.data["b"] != nil {
		names = append(names, "b")
	}
	known := map[string]string{}
	if s.has("against") {
		first := s.clone()
		first.flags = map[string]string{"save": "@sums", "with-filename": "yes", "stats": "none", "output": "/dev/null"}
		for _, name := range []string{"field", "normalize", "within", "split", "least", "key"} {
			if s.has(name) {
				first.flags[name] = s.flags[name]
			}
		}
		want := first.exactModel(nil, "old")
		if d := b.runExact(first, want, "old"); d != "" {
			return "the run with --save: " + d
		}
		all := s.items("old")
		if s.has("split") {
			whole := all
			all = nil
			for _, x := range whole {
				all = append(all, s.parts(x)...)
			}
		}
		for _, x := range all {
			id := first.name(x)
			if s.has("split") {
				id += fmt.Sprintf("#%d-%d", x.start, x.end)
			}
			if _, ok := known[x.key]; !ok {
				known[x.key] = id
			}
		}
	}
	o := s.exactModel(known, names...)
	return cmp.Or(b.runExact(s, o, names...), b.auditExact(s, o, names...))
}

// runExact runs doppel exact and compares everything that it writes.
func (b bench) runExact(s *sample, o outcome, datasets ...string) string {
	args := s.args()
	if s.has("removed") || s.has("decisions") || s.has("save") || s.has("output") {
		args = append(args, "--no-sync")
	}
	if !s.has("stats") {
		args = append(args, "--stats=json")
	}
	for _, name := range datasets {
		args = append(args, "@"+s.file(name))
	}
	got := b.run(args...)
	if got.status != 0 {
		return fmt.Sprintf("status %d: %s", got.status, got.stderr)
	}
	if d := diffLines("records", splitLines(got.stdout), splitLines(unlines(o.out))); d != "" && !s.has("output") {
		return d
	}
	var stats struct{ Records, Kept, Duplicates int }
	if !s.has("stats") {
		if err := json.Unmarshal([]byte(got.stderr), &stats); err != nil || stats.Kept != o.kept || stats.Duplicates != o.dropped {
			return fmt.Sprintf("stats %s, want %d kept and %d dropped", got.stderr, o.kept, o.dropped)
		}
	}
	if s.has("save") {
		var ids []string
		for _, line := range b.read(s.flags["save"][1:]) {
			ids = append(ids, strings.Split(line, "\t")[0])
		}
		if d := diffLines("saved ids", ids, o.saved); d != "" {
			return d
		}
	}
	var decisions, removed, keeps []string
	for _, l := range o.losses {
		named := func(x *item, name func(*item) string) any {
			switch {
			case x == nil && l.old == "":
				return nil
			case x == nil:
				return l.old
			case s.has("split") && x.end > 0:
				return fmt.Sprintf("%s#%d-%d", name(x), x.start, x.end)
			}
			return name(x)
		}
		ordinal := func(x *item) string { return fmt.Sprint(x.ordinal) }
		kept, score := named(l.kept, ordinal), "1.0000"
		if kept == nil {
			kept = "-"
		}
		if l.best {
			score = "-"
		}
		if !strings.HasPrefix(l.reason, "left<") {
			decisions = append(decisions, fmt.Sprintf("drop\t%v\t%v\t%v\t%s", named(l.x, ordinal), kept, score, l.reason))
		}
		text := func(x *item) any {
			if x == nil {
				return nil
			}
			if s.has("split") && x.end > 0 {
				return x.text[x.start:x.end]
			}
			return x.text
		}
		line, _ := json.Marshal([]any{fmt.Sprint(named(l.x, s.name)), named(l.kept, s.name), text(l.x), text(l.kept), l.kept != nil || l.old != "", l.reason})
		removed = append(removed, string(line))
		if l.kept != nil {
			keeps = append(keeps, fmt.Sprintf("keep\t%v\t-\t-\tbest", named(l.kept, ordinal)))
		}
	}
	if s.has("decisions") {
		var drops, kept []string
		for _, line := range b.read("decisions") {
			if strings.HasPrefix(line, "drop") {
				drops = append(drops, line)
			} else {
				kept = append(kept, line)
			}
		}
		slices.Sort(drops)
		slices.Sort(decisions)
		if d := diffLines("decisions", drops, decisions); d != "" {
			return d
		}
		for _, line := range keeps {
			if !slices.Contains(kept, line) {
				return "no decision " + line
			}
		}
	}
	if s.has("removed") {
		var lines []string
		for _, line := range b.read("removed") {
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				return err.Error()
			}
			of := m["duplicate_of_row_id"]
			if of != nil {
				of = fmt.Sprint(of)
			}
			again, _ := json.Marshal([]any{fmt.Sprint(m["row_id"]), of, m["value"], m["matched_value"], m["similarity"] == 1.0, m["reason"]})
			lines = append(lines, string(again))
		}
		if d := diffLines("removed", lines, removed); d != "" {
			return d
		}
	}
	return ""
}

// auditExact writes the output that the model expects, and runs doppel audit, which must find no
// fault.
func (b bench) auditExact(s *sample, o outcome, datasets ...string) string {
	if !s.has("decisions") {
		return ""
	}
	b.put("out", unlines(o.out))
	a := s.clone()
	for _, name := range []string{"rank", "removed", "seen", "least", "id", "with-filename", "key", "save"} {
		delete(a.flags, name)
	}
	if a.command = "audit"; s.has("against") {
		a.flags["against"] = "@" + s.file("old")
	}
	args := append(a.args(), "--of=exact", "--output=@out")
	if s.form == "csv" {
		args = append(args, "--csv")
	}
	for _, name := range datasets {
		args = append(args, "@"+s.file(name))
	}
	if got := b.run(args...); got.status != 0 {
		return fmt.Sprintf("audit: status %d: %s%s", got.status, got.stdout, got.stderr)
	}
	if s.has("output") {
		return ""
	}
	args = s.args()
	for _, name := range datasets {
		args = append(args, "@"+s.file(name))
	}
	return b.auditManifest(args...)
}

var exact = proof{drawExact, validExact, checkExact}

func TestExact(t *testing.T) { exact.explore(t, 1200) }

func FuzzExact(f *testing.F) { exact.fuzz(f) }
