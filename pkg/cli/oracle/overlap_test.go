package oracle_test

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A quizItem is a field of a test item, divided into windows of words.
type quizItem struct {
	id, field string
	windows   []string // the window that starts at each word
}

// windowsOf returns the windows of a text in order. If short is set, a text of fewer
// words than a window is a window itself.
func (s *sample) windowsOf(text string, short bool) (windows []string) {
	w := words(cmp.Or(s.flags["normalize"], "aggressive"), text)
	size := 8
	if s.has("window") {
		fmt.Sscanf(s.flags["window"], "w%d", &size)
	}
	if short && len(w) > 0 && len(w) < size {
		return []string{strings.Join(w, " ")}
	}
	for i := 0; i+size <= len(w); i++ {
		windows = append(windows, strings.Join(w[i:i+size], " "))
	}
	return windows
}

// contains reports whether a record has a window. The window of a short item is shorter than the
// others, and may be anywhere in the record.
func (s *sample) contains(text, window string) bool {
	w := strings.Join(words(cmp.Or(s.flags["normalize"], "aggressive"), text), " ")
	return strings.Contains(" "+w+" ", " "+window+" ")
}

// overlapModel returns the table of doppel overlap, the decisions on records and the decisions on
// items.
func (s *sample) overlapModel() (table, drops, spoiled []string) {
	records, items := s.data["a"], s.data["quiz"]
	fields := s.list("test-field")
	if len(fields) == 0 {
		fields = []string{"text"}
	}
	var all []quizItem // by item, then by field
	for i, r := range items {
		for _, field := range fields {
			item := quizItem{id: fmt.Sprint(i), field: field, windows: s.windowsOf(textOf(r, field), true)}
			if s.has("test-id") {
				item.id = textOf(r, "id")
			}
			all = append(all, item)
		}
	}
	common := func(window string) bool {
		inRecords, inItems := 0, 0
		for _, r := range records {
			if s.contains(textOf(r, "text"), window) {
				inRecords++
			}
		}
		for i := range items {
			for j := range fields {
				if slices.Contains(all[i*len(fields)+j].windows, window) {
					inItems++
					break
				}
			}
		}
		df, testDF := s.number("df", 20), s.number("test-df", 20)
		return df > 0 && inRecords > df || testDF > 0 && inItems > testDF
	}
	limit, _ := new(big.Rat).SetString(cmp.Or(s.flags["coverage"], "0.35"))
	best, bestItem := map[int]*big.Rat{}, map[int]string{} // by record: its greatest coverage of the first field of an item
	for n, item := range all {
		windows := slices.DeleteFunc(slices.Clone(item.windows), common)
		most, first, contaminating := new(big.Rat), "-", 0
		for i, r := range records {
			found := 0
			for _, w := range windows {
				if s.contains(textOf(r, "text"), w) {
					found++
				}
			}
			if found == 0 {
				continue
			}
			share := big.NewRat(int64(found), int64(len(windows)))
			if share.Cmp(most) > 0 {
				most, first = share, fmt.Sprint(i)
			}
			if share.Cmp(limit) >= 0 {
				contaminating++
				if n%len(fields) == 0 && (best[i] == nil || share.Cmp(best[i]) > 0) {
					best[i], bestItem[i] = share, item.id
				}
			}
		}
		coverage, _ := most.Float64()
		table = append(table, fmt.Sprintf("%s\t%s\t%s\t%.4f\t%d\t%d\t%s", s.file("quiz"), item.id, item.field, coverage, len(windows), contaminating, first))
		if n%len(fields) == 0 && contaminating > 0 {
			spoiled = append(spoiled, fmt.Sprintf("drop\t%s\t%.4f", item.id, coverage))
		}
	}
	for i := range records {
		if best[i] != nil {
			share, _ := best[i].Float64()
			drops = append(drops, fmt.Sprintf("drop\t%d\t-\t%.4f\toverlap>=%s,item=%s", i, share, cmp.Or(s.flags["coverage"], "0.35"), bestItem[i]))
		}
	}
	return table, drops, spoiled
}

func drawOverlap(r *rand.Rand) *sample {
	s := &sample{command: "overlap", flags: map[string]string{"test": "@quiz.jsonl"}, data: map[string][]row{"a": {}, "quiz": {}}, form: "jsonl", fixed: []string{"test"}}
	more := map[string]string{
		"test-field": pick(r, "note", "text,note"), "test-id": "id", "window": pick(r, "w2", "w3"), "coverage": pick(r, "0.5", "0.25", "1"), "df": pick(r, "0", "1", "2"),
		"test-df": pick(r, "0", "1", "2"), "normalize": pick(r, "conservative", "balanced"), "decisions": "@decisions", "spoiled": "@spoiled", "jobs": pick(r, "1", "3"),
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
	var texts [][]string
	some := func(most int) string {
		var text []string
		for range r.IntN(3) {
			if len(texts) > 0 {
				from := pick(r, texts...)
				at := r.IntN(len(from) + 1)
				text = append(text, from[at:at+r.IntN(len(from)-at+1)]...)
			}
		}
		for range r.IntN(most) {
			text = append(text, pick(r, "a", "B", "c", "été", "漢", "d!", "e-f", "ｇ", "1"))
		}
		texts = append(texts, text)
		return strings.Join(text, pick(r, " ", "  ", ", "))
	}
	for i := range 1 + r.IntN(4) {
		s.data["quiz"] = append(s.data["quiz"], row{"id": fmt.Sprintf("q%d", i), "text": "x " + some(8), "note": pick(r, "x ", "y ") + some(4)})
	}
	for range 1 + r.IntN(5) {
		s.data["a"] = append(s.data["a"], row{"text": some(14)})
	}
	return s
}

// validOverlap reports whether each field of each test item has a word.
func validOverlap(s *sample) bool {
	for _, r := range s.data["quiz"] {
		if len(words("aggressive", textOf(r, "text"))) == 0 || len(words("aggressive", textOf(r, "note"))) == 0 {
			return false
		}
	}
	return len(s.data["quiz"]) > 0
}

func checkOverlap(b bench, s *sample) string {
	b.write(s)
	args := append(s.args(), "--stats=none", "@"+s.file("a"))
	if s.has("decisions") || s.has("spoiled") {
		args = append(args, "--no-sync")
	}
	got := b.run(args...)
	if got.status != 0 {
		return got.stderr
	}
	table, drops, spoiled := s.overlapModel()
	if d := diffLines("table", splitLines(got.stdout), table); d != "" {
		return d
	}
	if s.has("decisions") {
		if d := diffLines("decisions", b.read("decisions"), drops); d != "" {
			return d
		}
	}
	if s.has("spoiled") {
		var lines []string
		for _, line := range b.read("spoiled") {
			f := strings.Split(line, "\t")
			lines = append(lines, f[0]+"\t"+f[1]+"\t"+f[3])
		}
		return diffLines("spoiled", lines, spoiled)
	}
	return ""
}

var overlaps = proof{drawOverlap, validOverlap, checkOverlap}

func TestOverlap(t *testing.T) { overlaps.explore(t, 1500) }

func FuzzOverlap(f *testing.F) { overlaps.fuzz(f) }
