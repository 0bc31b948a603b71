package oracle_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A bytespan is a range of bytes of a text.
type bytespan struct{ start, end int }

// A body is the text of a record, divided into the units that --length counts.
type body struct {
	text, value, id string
	places          []bytespan // bytes of each unit
	forms           []string   // units as they are compared
	old             bool       // the record belongs to --against
}

// inWord reports whether a letter can be part of a word, and alone whether it is a word by itself.
func inWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc) }
func alone(r rune) bool  { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Thai) }

// units fills in the units of a body: bytes, or words after a normalisation of recsign(1).
func (b *body) units(words bool, how string) {
	if !words {
		for i := range len(b.text) {
			b.places = append(b.places, bytespan{i, i + 1})
			b.forms = append(b.forms, b.text[i:i+1])
		}
		return
	}
	joined := false
	for i, r := range b.text {
		end := i + utf8.RuneLen(r)
		switch plain := unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc); {
		case unicode.IsSpace(r) || how != "conservative" && !plain:
			joined = false
			continue
		case joined && !alone(r):
			n := len(b.places) - 1
			b.places[n].end, b.forms[n] = end, b.forms[n]+strings.ToLower(string(r))
		default:
			b.places, b.forms = append(b.places, bytespan{i, end}), append(b.forms, strings.ToLower(string(r)))
		}
		joined = !alone(r)
	}
}

// A window is a place where a passage may be repeated: a unit of a body.
type window struct{ body, at int }

// A passageModel holds the repeated passages of some records.
type passageModel struct {
	*sample
	bodies []*body
	olds   int // number of old records, which come first
	length int
	words  bool
	places map[string][]window // by the content of a passage: its occurrences, in order
}

// content returns the units of a passage as they are compared.
func (m *passageModel) content(w window) string {
	b := m.bodies[w.body]
	key := strings.Join(b.forms[w.at:w.at+m.length], "\x00")
	if m.has("within") {
		key += "\x00" + b.value
	}
	return key
}

// repeated reports whether the passage at w is cut, and returns the place of its first copy.
func (m *passageModel) repeated(w window) (first window, ok bool) {
	all := m.places[m.content(w)]
	first = all[0]
	switch copies := m.number("copies", 1); {
	case m.has("against"):
		return first, m.bodies[first.body].old && !m.bodies[w.body].old
	case m.has("across"):
		return first, m.bodies[first.body].value != m.bodies[w.body].value
	case m.flags["keep"] == "none":
		return first, len(all) > copies
	default:
		return first, slices.Index(all, w) >= copies
	}
}

func (s *sample) passages() *passageModel {
	m := &passageModel{sample: s, places: map[string][]window{}}
	length := s.flags["length"]
	n, words := strings.CutPrefix(length, "w")
	m.words = words
	m.length, _ = strconv.Atoi(n)
	if s.has("against") {
		m.olds = len(s.data["old"])
	}
	for _, name := range []string{"old", "a"} {
		for i, r := range s.data[name] {
			if name == "old" && !s.has("against") {
				break
			}
			b := &body{text: textOf(r, "text"), value: textOf(r, "src"), id: fmt.Sprint(i), old: name == "old"}
			if b.old {
				b.id = s.file(name) + ":" + b.id
			}
			b.units(m.words, s.flags["normalize"])
			m.bodies = append(m.bodies, b)
			for at := 0; at+m.length <= len(b.forms); at++ {
				w := window{len(m.bodies) - 1, at}
				m.places[m.content(w)] = append(m.places[m.content(w)], w)
			}
		}
	}
	return m
}

// spans returns the ranges of units of a body that are cut before --snap applies.
func (m *passageModel) spans(n int) (spans []bytespan) {
	b := m.bodies[n]
	marks := make([]bool, len(b.forms))
	for at := 0; at+m.length <= len(b.forms); at++ {
		if _, ok := m.repeated(window{n, at}); ok {
			for i := range m.length {
				marks[at+i] = true
			}
		}
	}
	before := make([]int64, len(marks)+1) // number of repeated units before each unit
	for i, mark := range marks {
		if before[i+1] = before[i]; mark {
			before[i+1]++
		}
	}
	if share, ok := new(big.Rat).SetString(m.flags["bridge"]); ok {
		joined := slices.Clone(marks)
		for i := range marks {
			for j := i + 1; j <= len(marks); j++ {
				if marks[i] && marks[j-1] && big.NewRat(before[j]-before[i], int64(j-i)).Cmp(share) >= 0 &&
					(i == 0 || !marks[i-1]) && (j == len(marks) || !marks[j]) {
					for k := i; k < j; k++ {
						joined[k] = true
					}
				}
			}
		}
		marks = joined
	}
	for i := 0; i < len(marks); i++ {
		if marks[i] {
			start := i
			for i < len(marks) && marks[i] {
				i++
			}
			spans = append(spans, bytespan{start, i})
		}
	}
	return spans
}

// between reports whether a cut may begin or end at a position of a text.
func (m *passageModel) between(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case at == 0 || at == len(text) || m.flags["snap"] == "byte":
		return true
	case m.flags["snap"] == "line":
		return text[at-1] == '\n'
	case !utf8.RuneStart(text[at]):
		return false
	case m.flags["snap"] == "utf8":
		return true
	}
	return !unicode.Is(unicode.M, after) && !oneWord(before, after)
}

// oneWord reports whether two adjacent letters belong to the same word.
func oneWord(a, b rune) bool { return inWord(a) && inWord(b) && !alone(a) && !alone(b) }

// cuts returns the bytes that are cut out of a body.
func (m *passageModel) cuts(n int) (cuts []bytespan) {
	b := m.bodies[n]
	for _, s := range m.spans(n) {
		c := bytespan{b.places[s.start].start, b.places[s.end-1].end}
		for c.start < c.end && !m.between(b.text, c.start) {
			c.start++
		}
		for c.start < c.end && !m.between(b.text, c.end) {
			c.end--
		}
		if m.flags["snap"] == "" && c.start < c.end && c.start > 0 && c.end < len(b.text) {
			before, _ := utf8.DecodeLastRuneInString(b.text[:c.start])
			last, size := utf8.DecodeLastRuneInString(b.text[c.start:c.end])
			after, _ := utf8.DecodeRuneInString(b.text[c.end:])
			if oneWord(before, after) && !inWord(last) {
				c.end -= size
			}
		}
		inside := !m.words // with a length in words, a cut without a whole word is not made
		for _, p := range b.places[s.start:s.end] {
			inside = inside || c.start <= p.start && p.end <= c.end
		}
		if c.start < c.end && inside {
			cuts = append(cuts, c)
		}
	}
	return cuts
}

func validPassages(s *sample) bool {
	against := s.has("against")
	other := s.has("keep") || s.has("copies") || against
	switch {
	case s.has("across") && (other || s.has("within")), against && (s.has("keep") || s.has("copies") || s.has("within")),
		!strings.HasPrefix(s.flags["length"], "w") && s.has("normalize"),
		s.has("annotate") && (s.has("removed") || s.has("decisions")), !s.has("annotate") && s.form == "csv", s.has("counts") && !s.has("annotate"),
		s.form == "lines" && (s.has("within") || s.has("across")):
		return false
	}
	return true
}

// somePassages returns texts that have parts in common.
func somePassages(r *rand.Rand, n int, ascii bool) (texts []string) {
	pieces := []string{"one ", "two\n", "aa", "aaaa", "b, ", "Aa ", "x.y ", "  ", "c_d ", "longer ", "!\n"}
	if !ascii {
		pieces = append(pieces, "für ", "漢字", "e\u0301", "𝒳 ", "½")
	}
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			if len(texts) > 0 && r.IntN(2) == 0 {
				runes := []rune(pick(r, texts...))
				at := r.IntN(len(runes) + 1)
				b.WriteString(string(runes[at : at+r.IntN(len(runes)-at+1)]))
			}
			for range r.IntN(5) {
				b.WriteString(pick(r, pieces...))
			}
		}
		texts = append(texts, b.String())
	}
	return texts
}

func drawPassages(r *rand.Rand) *sample {
	s := &sample{command: "passages", data: map[string][]row{}, form: pick(r, "jsonl", "jsonl", "jsonl", "lines", "csv"), ascii: r.IntN(2) == 0}
	s.fixed, s.flags = []string{"length"}, map[string]string{"length": pick(r, "4", "6", "9", "w2", "w3")}
	more := map[string]string{
		"normalize": pick(r, "balanced", "conservative"), "keep": pick(r, "none", "first"), "copies": pick(r, "2", "3"), "bridge": pick(r, "0.5", "0.75", "0.9"),
		"snap": pick(r, "byte", "utf8", "line"), "within": "src", "across": "src", "min-left": pick(r, "3", "10", "25"), "against": "@old",
		"annotate": "yes", "counts": "yes", "removed": "@removed", "decisions": "@decisions", "mem": "1K", "jobs": pick(r, "1", "3"),
	}
	names := make([]string, 0, len(more))
	for name := range more {
		names = append(names, name)
	}
	slices.Sort(names)
	for range 1 + r.IntN(4) {
		name := pick(r, names...)
		s.flags[name] = more[name]
	}
	if s.form == "csv" {
		s.flags["annotate"] = "yes"
		s.fixed = append(s.fixed, "annotate")
	}
	n, old := 1+r.IntN(5), 0
	if s.has("against") {
		old = 1 + r.IntN(2)
	}
	s.data["a"] = []row{}
	for i, text := range somePassages(r, n+old, s.flags["snap"] == "byte") {
		if s.form == "lines" {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		name := "a"
		if i < old {
			name = "old"
		}
		s.data[name] = append(s.data[name], row{"text": text, "src": pick(r, "p", "q")})
	}
	if s.form == "lines" {
		for _, rows := range s.data {
			for _, r := range rows {
				delete(r, "src")
			}
		}
	}
	return s
}

func checkPassages(b bench, s *sample) string {
	b.write(s)
	run := s.clone()
	if s.has("against") {
		run.flags["against"] = "@" + s.file("old")
	}
	args := append(run.args(), "@"+s.file("a"))
	if !s.has("annotate") {
		args = append(args, "--stats=none")
	}
	if s.has("removed") || s.has("decisions") {
		args = append(args, "--no-sync")
	}
	got := b.run(args...)
	if got.status != 0 {
		return fmt.Sprintf("status %d: %s", got.status, got.stderr)
	}
	m := s.passages()
	var out []string
	want := map[int][]bytespan{}
	for n, body := range m.bodies {
		if body.old {
			continue
		}
		ordinal := n - m.olds
		cuts, text, at := m.cuts(n), "", 0
		for _, c := range cuts {
			text, at = text+body.text[at:c.start], c.end
		}
		text += body.text[at:]
		if len(cuts) > 0 && len(text) < s.number("min-left", 0) {
			want[ordinal] = []bytespan{{-1, len(text)}} // the whole record
			continue
		}
		want[ordinal] = cuts
		r := row{}
		for name, value := range s.data["a"][ordinal] {
			r[name] = value
		}
		if r["text"] = text; len(cuts) > 0 {
			out = append(out, s.line(r))
		} else {
			out = append(out, s.line(s.data["a"][ordinal]))
		}
	}
	decisions := splitLines(got.stdout)
	if !s.has("annotate") {
		if d := diffLines("records", splitLines(got.stdout), out); d != "" {
			return d
		}
		if d := m.checkRemoved(b, want); d != "" || !s.has("decisions") {
			return d
		}
		decisions = b.read("decisions")
	}
	if d := m.checkDecisions(decisions, want); d != "" || s.has("annotate") {
		return d
	}
	b.put("out", unlines(out))
	a := run.clone()
	for _, name := range []string{"removed", "length", "bridge", "snap", "copies", "min-left"} {
		delete(a.flags, name)
	}
	a.command = "audit"
	if got := b.run(append(a.args(), "--of=passages", "--output=@out", "@"+s.file("a"))...); got.status != 0 {
		return fmt.Sprintf("audit: status %d: %s%s", got.status, got.stdout, got.stderr)
	}
	return b.auditManifest(append(run.args(), "@"+s.file("a"))...)
}

// checkRemoved checks that the file of --removed has the text of everything that is dropped.
func (m *passageModel) checkRemoved(b bench, want map[int][]bytespan) string {
	if !m.has("removed") {
		return ""
	}
	got := map[string]string{} // by the number of the record: the texts of its pieces
	for _, line := range b.read("removed") {
		var piece struct {
			ID    any `json:"row_id"`
			Value string
		}
		if err := json.Unmarshal([]byte(line), &piece); err != nil {
			return err.Error()
		}
		id, _, _ := strings.Cut(fmt.Sprint(piece.ID), "#")
		got[id] += piece.Value
	}
	for ordinal, cuts := range want {
		lost, text := "", m.bodies[ordinal+m.olds].text
		for _, c := range cuts {
			if c.start < 0 {
				c = bytespan{0, len(text)}
			}
			lost += text[c.start:c.end]
		}
		if id := fmt.Sprint(ordinal); got[id] != lost {
			return fmt.Sprintf("removed from record %s: %q, want %q", id, got[id], lost)
		}
	}
	return ""
}

// checkDecisions checks that decisions drop exactly the wanted bytes, and that each names the first
// copy of the passages in its piece.
func (m *passageModel) checkDecisions(lines []string, want map[int][]bytespan) string {
	got := map[int][]bytespan{}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		id, part, _ := strings.Cut(f[1], "#")
		ordinal, err := strconv.Atoi(id)
		if len(f) != 5 || f[0] != "drop" || err != nil {
			return "decision " + line
		}
		if part == "" {
			left, _ := strconv.ParseFloat(f[3], 64)
			got[ordinal] = []bytespan{{-1, int(left)}}
			if reason := "left<" + m.flags["min-left"]; f[2] != "-" || f[4] != reason {
				return line + ": want no kept copy, and " + reason
			}
			continue
		}
		var p bytespan
		fmt.Sscanf(part, "%d-%d", &p.start, &p.end)
		list := got[ordinal]
		if n := len(list) - 1; n >= 0 && list[n].end == p.start {
			list[n].end = p.end
		} else {
			got[ordinal] = append(list, p)
		}
		if d := m.checkPiece(f, ordinal+m.olds, p); d != "" {
			return line + ": " + d
		}
	}
	for ordinal, cuts := range want {
		var joined []bytespan
		for _, c := range cuts {
			if n := len(joined) - 1; n >= 0 && joined[n].end == c.start {
				joined[n].end = c.end
			} else {
				joined = append(joined, c)
			}
		}
		if !slices.Equal(got[ordinal], joined) {
			return fmt.Sprintf("record %d loses %v, want %v\n%s", ordinal, got[ordinal], joined, strings.Join(lines, "\n"))
		}
	}
	return ""
}

// checkPiece checks the columns kept, score and reason of the decision on a piece of body n.
func (m *passageModel) checkPiece(f []string, n int, p bytespan) string {
	reason := map[bool]string{false: "passage>=", true: "words>="}[m.words] + strconv.Itoa(m.length)
	if strings.HasPrefix(f[4], "bridge>=") {
		share, _ := strconv.ParseFloat(m.flags["bridge"], 64)
		if f[4] != fmt.Sprintf("bridge>=%v", share) || f[2] != "-" || f[3] != "-" {
			return "want no kept copy and no score"
		}
		return ""
	}
	counts := map[string]bool{}
	mine := m.bodies[n]
	var kept bytespan
	from, part, _ := strings.Cut(f[2], "#")
	fmt.Sscanf(part, "%d-%d", &kept.start, &kept.end)
	covered := 0 // units of the piece in windows whose first copy is where the decision says
	for unit, place := range mine.places {
		if place.start < p.start || place.end > p.end {
			continue
		}
		ok := false
		for at := max(0, unit-m.length+1); at <= unit && at+m.length <= len(mine.forms); at++ {
			w := window{n, at}
			first, repeated := m.repeated(w)
			if !repeated {
				continue
			}
			theirs := m.bodies[first.body]
			place := theirs.places[first.at+unit-at]
			named := theirs.id == from && kept.start <= place.start && place.end <= kept.end
			if !m.words {
				named = named && place.start-kept.start == unit-p.start
			}
			if named || m.flags["keep"] == "none" {
				ok = true
				copies := len(m.places[m.content(w)])
				counts[fmt.Sprintf("%s,copies=%d", reason, copies)] = true
			}
		}
		if !ok {
			return fmt.Sprintf("the first copy of unit %d is elsewhere", unit)
		}
		covered++
	}
	switch {
	case covered == 0:
		return "the piece is empty"
	case f[3] != "1.0000" || m.flags["keep"] == "none" && f[2] != "-":
		return "wrong score or kept copy"
	case m.has("counts") && !counts[f[4]], !m.has("counts") && f[4] != reason:
		return fmt.Sprintf("want the reason %s %v", reason, counts)
	}
	return ""
}

var passages = proof{drawPassages, validPassages, checkPassages}

func TestPassages(t *testing.T) { passages.explore(t, 1000) }

func FuzzPassages(f *testing.F) { passages.fuzz(f) }
