package oracle_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// complete holds options with which all similar pairs become candidates: the sketches of two texts
// of similarity 0.3 differ in all 64 slots with a probability of 1e-10.
var complete = []string{"--shingle=w1", "--bands=64", "--rows=1"}

// drawNear returns records of which many are similar.
func drawNear(command string, more map[string]string) func(r *rand.Rand) *sample {
	return func(r *rand.Rand) *sample {
		s := &sample{command: command, flags: map[string]string{}, data: map[string][]row{"a": {}}, form: pick(r, "jsonl", "jsonl", "csv", "lines"), fixed: []string{"threshold"}}
		s.flags["threshold"] = pick(r, "0.5", "0.6", "0.66", "0.7", "0.75", "0.8", "1")
		options := map[string]string{
			"policy": "components", "rank": pick(r, "first", "last", "longest", "rank", "rank:desc"), "mem": pick(r, "1K", "1M"), "jobs": pick(r, "1", "3"),
		}
		for name, value := range more {
			options[name] = pick(r, strings.Split(value, "|")...)
		}
		var names []string
		for name := range options {
			names = append(names, name)
		}
		slices.Sort(names)
		for range 1 + r.IntN(4) {
			name := pick(r, names...)
			s.flags[name] = options[name]
		}
		var texts [][]string
		for i := range 2 + r.IntN(9) {
			var text []string
			if len(texts) > 0 && r.IntN(4) > 0 {
				text = slices.Clone(pick(r, texts...))
			}
			for range r.IntN(3) {
				if len(text) > 2 {
					text = slices.Delete(text, 0, 1)
				}
			}
			for len(text) < 3 || r.IntN(2) == 0 {
				text = append(text, string(rune('a'+r.IntN(12))))
			}
			texts = append(texts, text)
			line := row{"id": fmt.Sprintf("r%d", i), "text": strings.Join(text, pick(r, " ", "  ", ", ")), "src": pick(r, "p", "q"), "rank": pick(r, "1", "2", "3")}
			if s.form == "lines" {
				line = row{"text": line["text"]}
			}
			s.data["a"] = append(s.data["a"], line)
		}
		return s
	}
}

func validNear(s *sample) bool {
	field := strings.HasPrefix(s.flags["rank"], "rank")
	sizes := s.has("cluster-size") || s.has("repeat")
	switch {
	case s.form == "lines" && (field || s.has("within") || s.has("across") || s.has("cluster-size") || s.has("id")),
		s.has("within") && s.has("across"),
		s.has("keep") && sizes, s.has("id") && !s.has("removed") && s.command == "cut",
		s.has("header") && s.has("json"):
		return false
	}
	return true
}

// fuzzy runs doppel fuzzy on a sample and returns what it writes.
func (b bench) fuzzy(s *sample, args ...string) output {
	run := s.clone()
	run.command = "fuzzy"
	args = append(slices.Concat(run.args(), complete, args), "--stats=none", "--no-sync", "@"+s.file("a"))
	return b.run(args...)
}

// checkCut checks that doppel cut, with the scores of a run at a lower threshold, writes the same as
// a run at the threshold.
func checkCut(b bench, s *sample) string {
	b.write(s)
	first := &sample{command: "fuzzy", flags: map[string]string{"threshold": "0.3"}, form: s.form}
	for _, name := range []string{"within", "across"} {
		if s.has(name) {
			first.flags[name] = s.flags[name]
		}
	}
	if got := b.fuzzy(first, "--scores=@scores"+s.flags["format"]); got.status != 0 {
		return "the run with --scores: " + got.stderr
	}
	files := []string{"decisions", "removed"}
	var outputs []string
	for _, file := range files {
		outputs = append(outputs, "--"+file+"=@"+file)
	}
	again := s.clone()
	delete(again.flags, "format")
	want := b.fuzzy(again, append(outputs, "--scores=@more")...)
	if want.status != 0 {
		return "the run at the threshold: " + want.stderr
	}
	var lists [2][]string
	for i, file := range files {
		lists[i] = b.read(file)
	}
	for _, name := range []string{"within", "across"} {
		delete(again.flags, name)
	}
	got := b.run(append(append(again.args(), outputs...), "--scores=@scores"+s.flags["format"], "--stats=none", "--no-sync", "@"+s.file("a"))...)
	if got.status != 0 {
		return got.stderr
	}
	if d := diffLines("records", splitLines(got.stdout), splitLines(want.stdout)); d != "" {
		return d
	}
	for i, file := range files {
		list := b.read(file)
		slices.Sort(list)
		slices.Sort(lists[i])
		if d := diffLines(file, list, lists[i]); d != "" {
			return d
		}
	}
	return ""
}

var cut = proof{drawNear("cut", map[string]string{
	"within": "src", "across": "src", "keep": "none", "counts": "yes", "cluster-size": "size", "repeat": "2:2;3:1", "id": "id", "format": "|.parquet|.jsonl",
}), validNear, checkCut}

func TestCut(t *testing.T) { cut.explore(t, 300) }

func FuzzCut(f *testing.F) { cut.fuzz(f) }

// checkGroups checks that doppel groups lists the groups of the decisions of doppel fuzzy.
func checkGroups(b bench, s *sample) string {
	b.write(s)
	run := s.clone()
	for _, name := range []string{"groups", "width", "header", "id", "json"} {
		delete(run.flags, name)
	}
	if got := b.fuzzy(run, "--decisions=@decisions"); got.status != 0 {
		return "fuzzy: " + got.stderr
	}
	var want []string
	groups := s.groups(b.read("decisions"))
	show := s.number("groups", len(groups))
	if s.has("header") {
		want = append(want, "group\tsize\tverdict\tid\tscore\ttext")
	}
	for i, group := range groups[:min(show, len(groups))] {
		for _, m := range group {
			want = append(want, fmt.Sprintf("%d\t%d\t%s", i+1, len(group), m))
		}
	}
	got := b.run(append(append(s.args(), complete...), "@"+s.file("a"))...)
	if d := diffLines("groups", splitLines(got.stdout), want); d != "" || got.status != 0 {
		return d + got.stderr
	}
	if note := strings.Contains(got.stderr, "more"); note != (show < len(groups)) {
		return "the note about further groups: " + got.stderr
	}
	list := s.clone()
	for _, name := range []string{"threshold", "policy", "rank", "within", "across", "mem"} {
		delete(list.flags, name)
	}
	got = b.run(append(list.args(), "--ordinals", "--list=@decisions", "@"+s.file("a"))...)
	return cmp.Or(diffLines("groups of --list", splitLines(got.stdout), want), map[bool]string{true: got.stderr}[got.status != 0])
}

// groups returns the groups of some decisions, as the columns that follow the size.
func (s *sample) groups(decisions []string) (groups [][]string) {
	kept, members := map[int]int{}, map[int][]int{} // by ordinal: the kept record, and the group of a kept record
	scores := map[int]string{}
	for _, line := range decisions {
		var verdict, score string
		var id, of int
		if n, _ := fmt.Sscanf(line, "%s %d %d %s", &verdict, &id, &of, &score); n == 4 && verdict == "drop" {
			kept[id], scores[id] = of, score
		}
	}
	for id := range s.data["a"] {
		of, dropped := kept[id]
		for dropped {
			if next, more := kept[of]; more {
				of = next
				continue
			}
			members[of] = append(members[of], id)
			break
		}
	}
	line := func(verdict string, id int, score string) string {
		r := s.data["a"][id]
		text := []rune(strings.Join(strings.Fields(textOf(r, "text")), " "))
		name := fmt.Sprint(id)
		if s.has("id") {
			name = textOf(r, "id")
		}
		return fmt.Sprintf("%s\t%s\t%s\t%s", verdict, name, score, string(text[:min(len(text), s.number("width", 60))]))
	}
	for of := range s.data["a"] {
		if len(members[of]) == 0 {
			continue
		}
		group := []string{line("keep", of, "-")}
		for _, id := range members[of] {
			group = append(group, line("drop", id, scores[id]))
		}
		groups = append(groups, group)
	}
	slices.SortStableFunc(groups, func(a, b []string) int { return len(b) - len(a) })
	return groups
}

var groups = proof{drawNear("groups", map[string]string{
	"within": "src", "across": "src", "groups": "1|2", "width": "3|8", "id": "id", "header": "yes",
}), validNear, checkGroups}

func TestGroups(t *testing.T) { groups.explore(t, 400) }

func FuzzGroups(f *testing.F) { groups.fuzz(f) }
