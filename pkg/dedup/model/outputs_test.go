package model

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// cell formats a score as the outputs do; null stands for an unknown score.
func cell(score int, null string) string {
	if score < 0 {
		return null
	}
	return fmt.Sprintf("%d.%04d", score/10000, score%10000)
}

func (m *model) reason(v verdict) string {
	why := "best"
	if v.drop {
		why = "score>=" + m.value("threshold", "0.8")
		if m.Value("policy") == "components" {
			why += ",least=" + cell(v.least, "")
		}
	}
	if m.Value("counts") != "" && (!v.drop || m.Value("keep") == "none") {
		why += fmt.Sprintf(",copies=%d", v.copies)
	}
	return why
}

// decisions returns the lines of all decisions, in order of rank.
func (m *model) decisions() (lines []string) {
	for _, d := range m.docs {
		v := m.verdicts[d]
		switch {
		case d.old:
		case v.drop && v.kept != nil:
			lines = append(lines, fmt.Sprintf("drop\t%s\t%s\t%s\t%s", d.id, v.kept.id, cell(v.score, "-"), m.reason(v)))
		case v.drop:
			lines = append(lines, fmt.Sprintf("drop\t%s\t-\t-\t%s", d.id, m.reason(v)))
		case m.groupOf(d) == d:
			lines = append(lines, fmt.Sprintf("keep\t%s\t-\t-\t%s", d.id, m.reason(v)))
		}
	}
	return lines
}

// inputOrder returns the new records in the order of the input.
func (m *model) inputOrder() []*doc {
	all := slices.DeleteFunc(slices.Clone(m.docs), func(d *doc) bool { return d.old })
	slices.SortStableFunc(all, func(a, b *doc) int { return cmp.Or(cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.start, b.start)) })
	return all
}

// groupOf returns the kept record of a record's group, or nil if the record is in no group.
func (m *model) groupOf(d *doc) *doc {
	if v := m.verdicts[d]; v.drop {
		return v.kept
	} else if slices.ContainsFunc(m.docs, func(other *doc) bool { return m.verdicts[other].drop && m.verdicts[other].kept == d }) {
		return d
	}
	return nil
}

// members returns the number of records in the group of a kept record.
func (m *model) members(kept *doc) (n int) {
	for _, d := range m.docs {
		if m.groupOf(d) == kept && kept != nil {
			n++
		}
	}
	return n
}

// output returns the records that the run writes.
func (m *model) output() string {
	var b strings.Builder
	numbers := map[*doc]int{nil: 0}
	all := m.inputOrder()
	if m.Value("split") != "" {
		return m.cutRecords(all)
	}
	for _, d := range all {
		v, line, group := m.verdicts[d], d.row.JSON(), m.groupOf(d)
		if m.Value("annotate") != "" {
			if numbers[group] == 0 && group != nil {
				numbers[group] = len(numbers)
			}
			more := `,"dup_group":null,"dup_size":1,"dup_of":null,"dup_score":null}`
			if group != nil {
				more = fmt.Sprintf(`,"dup_group":%d,"dup_size":%d,"dup_of":null,"dup_score":null}`, numbers[group], m.members(group))
			}
			if v.drop {
				more = strings.Replace(more, `of":null,"dup_score":null`, fmt.Sprintf(`of":%s,"dup_score":%s`, m.jsonID(v.kept), cell(v.score, "null")), 1)
			}
			b.WriteString(strings.TrimSuffix(line, "}") + more + "\n")
			continue
		}
		size := max(1, m.members(group))
		if field := m.Value("cluster-size"); field != "" {
			line = fmt.Sprintf(`%s,"%s":%d}`, strings.TrimSuffix(line, "}"), field, size)
		}
		if m.Value("ids") != "" {
			line = d.id
		}
		if !v.drop && !m.discards(d.row) {
			b.WriteString(strings.Repeat(line+"\n", m.times(size)))
		}
	}
	return b.String()
}

// discards reports whether --missing drops a record.
func (m *model) discards(row Row) bool {
	return lacks(row, m.Values("field")) && m.Value("missing") == "drop"
}

// times returns how often a record with a cluster of the given size is written.
func (m *model) times(size int) int {
	times := 1
	for _, step := range strings.Split(m.Value("repeat"), ",") {
		from, to, _ := strings.Cut(step, ":")
		if n, _ := strconv.Atoi(from); to != "" && n <= size {
			times, _ = strconv.Atoi(to)
		}
	}
	return times
}

// cutRecords returns all records without their dropped parts.
func (m *model) cutRecords(parts []*doc) string {
	var b strings.Builder
	ordinal := 0
	for _, f := range m.Files {
		for _, row := range f.Rows {
			text, at := "", 0
			for _, part := range parts {
				if part.ordinal == ordinal && m.verdicts[part].drop {
					text, at = text+row.Text[at:part.start], part.end
				}
			}
			row.Text = text + row.Text[at:]
			ordinal++
			if !m.discards(row) {
				b.WriteString(row.JSON() + "\n")
			}
		}
	}
	return b.String()
}

// jsonID returns an id as JSON: ordinals are numbers.
func (m *model) jsonID(d *doc) string {
	if d == nil {
		return "null"
	} else if d.old || m.Value("split") != "" {
		return string(quote(d.id))
	}
	return d.id
}

// removed returns the file of removed records.
func (m *model) removed() string {
	var b strings.Builder
	body := func(d *doc) string {
		if d == nil || d.signature {
			return "null"
		} else if m.Value("split") != "" {
			return string(quote(d.text0()))
		}
		return string(quote(d.text))
	}
	names := strings.Join(append(m.Values("field"), "text")[:max(1, len(m.Values("field")))], ",")
	var rows []Row
	for _, f := range m.Files {
		rows = append(rows, f.Rows...)
	}
	next := 0 // the first record whose absence of a text is not listed yet
	discard := func(end int) {
		for ; next < end; next++ {
			if m.discards(rows[next]) {
				fmt.Fprintf(&b, `{"row_id":%d,"duplicate_of_row_id":null,"field":%s,"value":null,"matched_value":null,"similarity":null,"threshold":null,"reason":"missing"}`+"\n", next, quote(names))
			}
		}
	}
	for _, d := range m.inputOrder() {
		discard(d.ordinal + 1)
		if v := m.verdicts[d]; v.drop {
			limit := m.value("threshold", "0.8")
			if v.kept == nil {
				limit = "null"
			}
			fmt.Fprintf(&b, `{"row_id":%s,"duplicate_of_row_id":%s,"field":%s,"value":%s,"matched_value":%s,"similarity":%s,"threshold":%s,"reason":%s}`+"\n",
				m.jsonID(d), m.jsonID(v.kept), quote(names), body(d), body(v.kept), cell(v.score, "null"), limit, quoteMore(m.reason(v)))
		}
	}
	discard(len(rows))
	return b.String()
}

// quoteMore is like quote, but leaves the character > unchanged.
func quoteMore(s string) string { return strings.ReplaceAll(string(quote(s)), `\u003e`, ">") }

// text0 returns a part with the white space at its ends.
func (d *doc) text0() string { return d.row.Text[d.start:d.end] }

// groups returns the file of groups.
func (m *model) groups() string {
	by := map[*doc][]*doc{}
	for _, d := range m.docs {
		if group := m.groupOf(d); group != nil {
			by[group] = append(by[group], d)
		}
	}
	var all [][]*doc
	for kept, group := range by {
		slices.SortFunc(group, func(a, b *doc) int {
			if (a == kept) != (b == kept) {
				return 1 - 2*map[bool]int{true: 1}[a == kept]
			}
			return cmp.Compare(a.ordinal, b.ordinal)
		})
		all = append(all, group)
	}
	slices.SortFunc(all, func(a, b []*doc) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0].ordinal, b[0].ordinal), cmp.Compare(a[0].id, b[0].id))
	})
	var b strings.Builder
	for i, group := range all {
		for _, d := range group {
			word, text, score := "keep", "-", -1
			if v := m.verdicts[d]; v.drop {
				word, score = "drop", v.score
			}
			if !d.old {
				text = strings.Join(strings.Fields(d.text), " ")
			}
			fmt.Fprintf(&b, "%d\t%d\t%s\t%s\t%s\t%s\n", i+1, len(group), word, d.id, cell(score, "-"), text)
		}
	}
	return b.String()
}

// checkScores returns what is wrong with a file of scored pairs. It must contain only pairs that
// reach the threshold, with their numbers. Of the pairs of equal records, it may leave out those
// that follow from the others, unless --across is given.
func (m *model) checkScores(text string) string {
	byID := map[string]*doc{}
	for _, d := range m.docs {
		byID[d.id] = d
	}
	found := map[[2]*doc]bool{}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		a, b := byID[f[0]], byID[f[1]]
		score, ok := m.score(a, b)
		shared, _ := overlap(a, b)
		want := fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%d\t%d", a.id, b.id, cell(score, ""), share(shared, len(a.grams)), share(shared, len(b.grams)), len(a.grams), len(b.grams))
		if m.Value("across") != "" {
			want += "\tapart"
		}
		if got := strings.Join(f, "\t"); !ok || got != want || found[[2]*doc{a, b}] {
			return fmt.Sprintf("scores: %s, want %s once (%v)", got, want, ok)
		}
		found[[2]*doc{a, b}], found[[2]*doc{b, a}] = true, true
	}
	for known := -1; known < len(found); { // pairs that follow
		known = len(found)
		for _, a := range m.docs {
			for _, b := range m.docs {
				for _, c := range m.docs {
					if score, _ := m.score(a, b); score == 10000 && m.Value("across") == "" && found[[2]*doc{a, b}] && found[[2]*doc{b, c}] && a != c {
						found[[2]*doc{a, c}], found[[2]*doc{c, a}] = true, true
					}
				}
			}
		}
	}
	for _, a := range m.docs {
		for _, b := range m.docs {
			if _, ok := m.score(a, b); ok && !found[[2]*doc{a, b}] {
				return fmt.Sprintf("scores: the pair %s, %s is missing", a.id, b.id)
			}
		}
	}
	return ""
}

func share(shared, size int) string { return fmt.Sprintf("%.4f", float64(shared)/float64(size)) }
