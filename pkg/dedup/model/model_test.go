package model

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A doc is a record, or a part of a record, of a run of doppel fuzzy.
type doc struct {
	id         string
	old        bool
	signature  bool // the text of the old record is unknown
	ordinal    int
	start, end int // bytes of the part in the text
	row        Row
	text       string
	lacks      bool // a field of the text is missing or null
	grams      map[string]bool
	class      int // equal for equal records
}

// A model computes what the man page of doppel fuzzy promises for a case.
type model struct {
	*Case
	threshold *big.Rat
	estimates map[[2]string]int // scores of old records of which only signatures are known, by the two ids
	pairs     map[[2]*doc]pair  // all pairs that are compared, in both orders
	classes   map[[2]int]pair   // the highest score of the pairs of two classes
	docs      []*doc            // in order of rank, old records first
	verdicts  map[*doc]verdict
}

// A verdict is the decision on a doc. The score is in units of 1/10,000, or -1 for none.
type verdict struct {
	drop                 bool
	kept                 *doc
	score, least, copies int
}

// newModel makes all decisions. The old records must be in the order in which they are preferred.
func newModel(c *Case, old []*doc, estimates map[[2]string]int) *model {
	m := &model{Case: c, threshold: new(big.Rat), estimates: estimates, verdicts: map[*doc]verdict{}}
	m.threshold.SetString(c.value("threshold", "0.8"))
	m.docs = append(slices.Clone(old), m.newDocs()...)
	for _, d := range m.docs {
		if !d.lacks {
			d.grams = shingles(d.text, c.value("shingle", "w3"), c.value("normalize", "balanced"))
		}
	}
	slices.SortStableFunc(m.docs[len(old):], m.compareRanks)
	m.measure()
	switch components := c.Value("policy") == "components"; {
	case components:
		m.decideComponents()
	case c.Value("keep") == "none":
		m.decideNone()
	default:
		m.decideGreedy()
	}
	return m
}

func (c *Case) value(name, preset string) string { return cmp.Or(c.Value(name), preset) }

// newDocs returns the records of the operands, or their parts.
func (m *model) newDocs() (docs []*doc) {
	ordinal := 0
	least, _ := strconv.Atoi(m.Value("least"))
	for _, f := range m.Files {
		for _, row := range f.Rows {
			d := doc{id: strconv.Itoa(ordinal), ordinal: ordinal, row: row, text: textOf(row, m.Values("field")), lacks: lacks(row, m.Values("field"))}
			ordinal++
			how := m.Value("split")
			if how == "" {
				docs = append(docs, &d)
			}
			if how == "" || d.lacks {
				continue
			}
			lead, parts := split(d.text, how)
			at := len(lead)
			for _, body := range parts {
				part := d
				part.start, part.end = at, at+len(body)
				at = part.end
				part.id = fmt.Sprintf("%d#%d-%d", d.ordinal, part.start, part.end)
				if part.text = strings.Trim(body, " \t\n"); len(part.text) >= least {
					docs = append(docs, &part)
				}
			}
		}
	}
	return docs
}

func textOf(row Row, fields []string) string {
	if len(fields) == 0 {
		fields = []string{"text"}
	}
	var texts []string
	for _, name := range fields {
		texts = append(texts, map[string]string{"text": row.Text, "title": row.Title, "src": row.Src}[name])
	}
	return strings.Join(texts, "\n")
}

// lacks reports whether a record has no text.
func lacks(row Row, fields []string) bool {
	return row.Lack != "" && (len(fields) == 0 || slices.Contains(fields, "text"))
}

// split splits a text into parts, after the blank text before them, which belongs to no part. Blank
// lines belong to the part before them.
func split(text, how string) (lead string, parts []string) {
	const blanks = " \t\n"
	if n, err := strconv.Atoi(strings.TrimPrefix(how, "w")); err == nil {
		rest := strings.TrimLeft(text, blanks)
		lead = text[:len(text)-len(rest)]
		for words := 0; rest != ""; words++ {
			end := strings.IndexAny(rest+" ", blanks)
			end += len(rest[end:]) - len(strings.TrimLeft(rest[end:], blanks))
			if words%n == 0 {
				parts = append(parts, "")
			}
			parts[len(parts)-1] += rest[:end]
			rest = rest[end:]
		}
		return lead, parts
	}
	wasBlank := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		blank := strings.Trim(line, blanks) == ""
		switch {
		case len(parts) == 0 && blank:
			lead += line
		case len(parts) == 0, !blank && (how == "lines" || wasBlank):
			parts = append(parts, line)
		default:
			parts[len(parts)-1] += line
		}
		wasBlank = blank
	}
	return lead, parts
}

// shingles returns the shingles of a text. A text without words is compared as it is.
func shingles(text, size, how string) map[string]bool {
	n, _ := strconv.Atoi(size[1:])
	units := words(text, how)
	switch {
	case size[0] == 'c' && how == "none":
		units = strings.Split(text, "")
	case size[0] == 'c':
		units = strings.Split(strings.Join(units, " "), "")
	}
	grams := map[string]bool{}
	for i := 0; i+n <= len(units); i++ {
		grams[strings.Join(units[i:i+n], "\x00")] = true
	}
	switch {
	case 0 < len(units) && len(units) < n:
		grams[strings.Join(units, "\x00")] = true
	case len(units) == 0 && text != "":
		grams["\x01"+text] = true
	}
	return grams
}

// words returns the words of the normalised text.
func words(text, how string) []string {
	if how == "aggressive" {
		text = norm.NFKD.String(text)
	}
	var b strings.Builder
	for _, r := range text {
		keep := unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc)
		switch alone := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar); {
		case !keep && (how == "balanced" || how == "aggressive"):
			b.WriteByte(' ')
		case alone:
			b.WriteString(" " + string(r) + " ")
		case how == "none":
			b.WriteRune(r)
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.Fields(b.String())
}

// compareRanks compares new records: the better one comes first. Records without a value come last.
func (m *model) compareRanks(a, b *doc) int {
	rank := m.value("rank", "first")
	switch rank {
	case "first":
		return 0
	case "last":
		return cmp.Or(cmp.Compare(b.ordinal, a.ordinal), cmp.Compare(b.start, a.start))
	case "longest":
		return cmp.Compare(len(b.grams), len(a.grams))
	}
	x, xerr := strconv.ParseFloat(a.row.Rank, 64)
	y, yerr := strconv.ParseFloat(b.row.Rank, 64)
	noX, noY := xerr != nil || x != x, yerr != nil || y != y
	switch {
	case noX && noY:
		return 0
	case noX:
		return 1
	case noY:
		return -1
	case strings.HasSuffix(rank, ":desc"):
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// compared reports whether the run compares two records.
func (m *model) compared(a, b *doc) bool {
	switch {
	case a == b, a.old && b.old, m.Value("only-against") != "" && !a.old && !b.old:
		return false
	case m.Value("within") != "":
		return a.row.Src == b.row.Src
	case m.Value("across") != "":
		return a.row.Src != b.row.Src
	}
	return true
}

// A pair is the similarity of two docs that a run compares.
type pair struct {
	score   int // rounded down
	similar bool
}

// measure computes the similarities of all pairs. Records with the score 1 count as equal, unless the
// run does not compare all of them: then all of them have the highest score that one of them has.
func (m *model) measure() {
	m.pairs, m.classes = map[[2]*doc]pair{}, map[[2]int]pair{}
	for i, d := range m.docs {
		d.class = i
	}
	apart := m.Value("across") != "" || m.Value("only-against") != "" && m.Value("keep") == "none" && m.Value("counts") != ""
	for i, a := range m.docs {
		for _, b := range m.docs[i+1:] {
			p, ok := m.compare(a, b)
			if !ok {
				continue
			}
			m.pairs[[2]*doc{a, b}], m.pairs[[2]*doc{b, a}] = p, p
			if p.score == 10000 && !apart {
				m.join(a.class, b.class)
			}
		}
	}
	for docs, p := range m.pairs {
		key := [2]int{docs[0].class, docs[1].class}
		best := m.classes[key]
		m.classes[key] = pair{max(best.score, p.score), best.similar || p.similar}
	}
}

func (m *model) join(one, other int) {
	for _, d := range m.docs {
		if d.class == other {
			d.class = one
		}
	}
}

// compare returns the similarity of two records. ok is false if the run does not compare them.
func (m *model) compare(a, b *doc) (p pair, ok bool) {
	if !m.compared(a, b) {
		return p, false
	}
	if a.signature {
		p.score = m.estimates[[2]string{a.id, b.id}]
		return pair{p.score, big.NewRat(int64(p.score), 10000).Cmp(m.threshold) >= 0}, true
	}
	shared, all := overlap(a, b)
	if all == 0 {
		return p, false
	}
	return pair{10000 * shared / all, big.NewRat(int64(shared), int64(all)).Cmp(m.threshold) >= 0}, true
}

// score returns the score of two records. ok is false if they are not similar.
func (m *model) score(a, b *doc) (score int, ok bool) {
	p := m.classes[[2]int{a.class, b.class}]
	return p.score, p.similar && a != b
}

// overlap returns the numbers of shingles in both and in at least one of two records.
func overlap(a, b *doc) (shared, all int) {
	for gram := range a.grams {
		if b.grams[gram] {
			shared++
		}
	}
	return shared, len(a.grams) + len(b.grams) - shared
}

// mostSimilar returns the most similar of some records, the best of equally similar ones, or nil.
func (m *model) mostSimilar(d *doc, others []*doc) (best *doc, score int) {
	score = -1
	for _, other := range others {
		if s, ok := m.score(d, other); ok && s > score {
			best, score = other, s
		}
	}
	return best, score
}

// isPaired reports whether any other record is similar to d.
func (m *model) isPaired(d *doc) bool { best, _ := m.mostSimilar(d, m.docs); return best != nil }

func (m *model) decideGreedy() {
	var kept []*doc
	copies := map[*doc]int{}
	for _, d := range m.docs {
		if best, score := m.mostSimilar(d, kept); best != nil && !d.old {
			m.verdicts[d] = verdict{drop: true, kept: best, score: score}
			copies[best]++
			continue
		}
		kept = append(kept, d)
	}
	for _, d := range kept {
		m.verdicts[d] = verdict{copies: 1 + copies[d]}
	}
}

// decideNone drops each record that is similar to another.
func (m *model) decideNone() {
	olds := m.docs[:slices.IndexFunc(append(slices.Clone(m.docs), new(doc)), func(d *doc) bool { return !d.old })]
	for _, d := range m.docs {
		v := verdict{copies: 1}
		v.kept, v.score = m.mostSimilar(d, olds)
		for _, other := range m.docs {
			if _, ok := m.score(d, other); ok {
				v.copies++
			}
		}
		v.drop = m.isPaired(d) && !d.old
		m.verdicts[d] = v
	}
}

// decideComponents keeps the best record of each group, or none of a group without old records.
func (m *model) decideComponents() {
	done := map[*doc]bool{}
	for _, first := range m.docs {
		if done[first] {
			continue
		}
		group, least := []*doc{first}, 10000
		done[first] = true
		for i := 0; i < len(group); i++ {
			for _, other := range m.docs {
				if _, ok := m.score(group[i], other); !ok {
					continue
				}
				if p := m.pairs[[2]*doc{group[i], other}]; p.similar {
					least = min(least, p.score)
				}
				if !done[other] {
					done[other] = true
					group = append(group, other)
				}
			}
		}
		none := m.Value("keep") == "none" && len(group) > 1
		m.verdicts[first] = verdict{drop: none && !first.old, score: -1, least: least, copies: len(group)}
		for _, d := range group[1:] {
			v := verdict{drop: !d.old, score: -1, least: least, copies: len(group)}
			if v.kept = first; none && !first.old {
				v.kept = nil
			} else if score, ok := m.score(d, first); ok {
				v.score = score
			}
			m.verdicts[d] = v
		}
	}
}
