package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/cli"
)

// A valued is a record with values for --within and --across.
type valued struct {
	N    int    `json:"n"`
	One  int    `json:"one"`
	Year int    `json:"year"`
	Lang string `json:"lang"`
	Text string `json:"text"`
}

// valuedRecords returns records of 40 words in three languages: new texts, copies, and copies with
// some words changed.
func valuedRecords(n int) (all []valued) {
	r := rand.New(rand.NewPCG(7, 0))
	word := func() string { return fmt.Sprint("w", r.IntN(2000)) }
	for i := range n {
		words := make([]string, 40)
		for k := range words {
			words[k] = word()
		}
		if i > 0 && r.IntN(2) == 0 {
			words = strings.Fields(all[r.IntN(i)].Text)
			for range r.IntN(4) {
				words[r.IntN(40)] = word()
			}
		}
		all = append(all, valued{i, 1, 2019 + r.IntN(2), string("abc"[r.IntN(3)]), strings.Join(words, " ")})
	}
	return all
}

// paragraphs returns records of 1 to 5 paragraphs: half of the paragraphs are copies.
func paragraphs(n int) (all []valued) {
	r := rand.New(rand.NewPCG(9, 0))
	var seen []string
	for i := range n {
		var text []string
		for range 1 + r.IntN(5) {
			if len(seen) > 0 && r.IntN(2) == 0 {
				text = append(text, seen[r.IntN(len(seen))])
				continue
			}
			words := make([]string, 21+r.IntN(20))
			for k := range words {
				words[k] = fmt.Sprint("w", r.IntN(2000))
			}
			seen = append(seen, strings.Join(words, " "))
			text = append(text, seen[len(seen)-1])
		}
		all = append(all, valued{i, 1, 2019, string("abc"[r.IntN(3)]), strings.Join(text, "\n")})
	}
	return all
}

// writeValued writes the records for which keep returns true, as JSON lines.
func writeValued(t *testing.T, name string, all []valued, keep func(*valued) bool) {
	t.Helper()
	var b bytes.Buffer
	for i := range all {
		if keep(&all[i]) {
			line, _ := json.Marshal(&all[i])
			b.Write(append(line, '\n'))
		}
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// keptNumbers compares each record with all records kept before it, and returns the numbers of the
// records that are kept: those whose similarity to each of them is below least, unless --within or
// --across, which by names, does not compare the two.
func keptNumbers(all []valued, by string, least float64) (numbers []int) {
	holders, size := map[string][]int{}, make([]int, len(all)) // the kept records that have a shingle
	for i := range all {
		words := strings.Fields(all[i].Text)
		shingles := []string{all[i].Text}
		if least < 1 {
			shingles = shingles[:0]
			for k := range len(words) - 2 {
				if s := strings.Join(words[k:k+3], " "); !slices.Contains(shingles, s) {
					shingles = append(shingles, s)
				}
			}
		}
		shared := map[int]int{}
		for _, s := range shingles {
			for _, other := range holders[s] {
				shared[other]++
			}
		}
		size[i] = len(shingles)
		drop := false
		for other, n := range shared {
			compared := (all[other].Lang == all[i].Lang) == (by == "within")
			drop = drop || compared && float64(n)/float64(size[i]+size[other]-n) >= least
		}
		if !drop {
			numbers = append(numbers, i)
			for _, s := range shingles {
				holders[s] = append(holders[s], i)
			}
		}
	}
	return numbers
}

// do runs a command, with its words separated by blanks, and returns its output.
func do(t *testing.T, command string) string {
	t.Helper()
	r := Exec(cli.Run, strings.Fields(command)...)
	if r.Status != 0 {
		t.Fatalf("%s: status %d: %s", command, r.Status, r.Stderr)
	}
	return r.Stdout
}

// sorted returns the lines of texts in order.
func sorted(texts ...string) []string {
	return slices.Sorted(strings.Lines(strings.Join(texts, "")))
}

// TestValues checks --within and --across in each format: the kept records are those of a comparison
// of each record with all kept records.
func TestValues(t *testing.T) {
	t.Chdir(t.TempDir())
	all := valuedRecords(1800)
	writeValued(t, "data.jsonl", all, func(*valued) bool { return true })
	do(t, "reccat --to parquet -o data.parquet data.jsonl")
	table := []byte("n,lang,text\n")
	for _, one := range all {
		table = fmt.Appendf(table, "%d,%s,%s\n", one.N, one.Lang, one.Text)
	}
	if err := os.WriteFile("data.csv", table, 0o666); err != nil {
		t.Fatal(err)
	}
	for command, least := range map[string]float64{"fuzzy --bands 64 --rows 2": .8, "exact --field text": 1} {
		for _, by := range []string{"within", "across"} {
			want := fmt.Sprint(keptNumbers(all, by, least))
			for _, input := range []string{"data.jsonl", "--removed removed.jsonl data.jsonl", "data.csv", "data.parquet"} {
				var got []int
				for line := range strings.Lines(do(t, command+" --stats none --to jsonl --"+by+" lang "+input)) {
					var one struct{ N json.RawMessage }
					n := 0
					json.Unmarshal([]byte(line), &one)
					fmt.Sscan(strings.Trim(string(one.N), `"`), &n)
					got = append(got, n)
				}
				if fmt.Sprint(got) != want {
					t.Fatalf("%s --%s lang %s: %v, want %s", command, by, input, got, want)
				}
			}
		}
	}
	// A value shared by all records changes nothing for --within, and --across then drops nothing; a
	// different value in each record is the other way round.
	data, _ := os.ReadFile("data.jsonl")
	for command, want := range map[string]string{"--within one": do(t, "fuzzy --stats none data.jsonl"), "--across one": string(data), "--within n": string(data)} {
		if do(t, "fuzzy --stats none "+command+" data.jsonl") != want {
			t.Errorf("fuzzy %s: other records", command)
		}
	}
	// The value may be a number.
	do(t, "fuzzy --stats none --within year --decisions d -o kept.jsonl data.jsonl")
	if out := do(t, "audit --within year --decisions d --output kept.jsonl --sample 500 data.jsonl"); !strings.Contains(out, "no fault; 0 of 500 sampled kept") {
		t.Error(out)
	}
	do(t, "fuzzy --stats none --decisions d -o kept.jsonl data.jsonl")
	if r := Exec(cli.Run, strings.Fields("audit --within year --decisions d --output kept.jsonl data.jsonl")...); r.Status == 0 || !strings.Contains(r.Stdout, "which is below the threshold") {
		t.Error(r)
	}
	// Two runs over old and new records keep the same records as one run over all.
	writeValued(t, "old.jsonl", all, func(v *valued) bool { return v.N < 900 })
	writeValued(t, "new.jsonl", all, func(v *valued) bool { return v.N >= 900 })
	for _, by := range []string{"within", "across"} {
		whole, first := do(t, "fuzzy --stats none --"+by+" lang data.jsonl"), do(t, "fuzzy --stats none --"+by+" lang old.jsonl")
		if err := os.WriteFile("kept.jsonl", []byte(first), 0o666); err != nil {
			t.Fatal(err)
		}
		if first+do(t, "fuzzy --stats none --"+by+" lang --against kept.jsonl new.jsonl") != whole {
			t.Errorf("fuzzy --%s --against: other records", by)
		}
	}
	first := do(t, "exact --stats none --field text --within lang --save sums old.jsonl")
	if first+do(t, "exact --stats none --field text --within lang --against sums new.jsonl") != do(t, "exact --stats none --field text --within lang data.jsonl") {
		t.Error("exact --against: other records")
	}
}

// TestValuesApart checks that --within keeps the same records as separate runs, one for each value,
// and that the audit knows both options.
func TestValuesApart(t *testing.T) {
	t.Chdir(t.TempDir())
	all, texts := valuedRecords(1800), paragraphs(600)
	writeValued(t, "data.jsonl", all, func(*valued) bool { return true })
	writeValued(t, "p.jsonl", texts, func(*valued) bool { return true })
	writeValued(t, "old.jsonl", texts, func(v *valued) bool { return v.N < 300 })
	writeValued(t, "new.jsonl", texts, func(v *valued) bool { return v.N >= 300 })
	for _, lang := range []string{"a", "b", "c"} {
		mine := func(v *valued) bool { return v.Lang == lang }
		writeValued(t, lang+".data.jsonl", all, mine)
		writeValued(t, lang+".p.jsonl", texts, mine)
		writeValued(t, lang+".old.jsonl", texts, func(v *valued) bool { return mine(v) && v.N < 300 })
		writeValued(t, lang+".new.jsonl", texts, func(v *valued) bool { return mine(v) && v.N >= 300 })
	}
	for _, command := range []string{
		"fuzzy DIRdata.jsonl", "exact --split w8 DIRdata.jsonl", "fuzzy --split w8 DIRdata.jsonl", "passages --length 100 DIRp.jsonl",
		"passages --length w12 DIRp.jsonl", "passages --against DIRold.jsonl DIRnew.jsonl",
	} {
		of := func(lang, option string) string {
			name, rest, _ := strings.Cut(strings.ReplaceAll(command, "DIR", lang), " ")
			return do(t, name+" --stats none "+option+rest)
		}
		if got, want := sorted(of("", "--within lang ")), sorted(of("a.", ""), of("b.", ""), of("c.", "")); !slices.Equal(got, want) {
			t.Errorf("%s: %d lines with --within, %d apart", command, len(got), len(want))
		}
	}
	for _, by := range []string{"within", "across"} {
		do(t, "passages --stats none --"+by+" lang --decisions d -o kept.jsonl p.jsonl")
		if out := do(t, "audit --of passages --"+by+" lang --decisions d -o kept.jsonl p.jsonl"); !strings.Contains(out, "no fault") {
			t.Error(out)
		}
		do(t, "fuzzy --stats none --"+by+" lang --decisions d --scores s -o kept.jsonl data.jsonl")
		if out := do(t, "audit --"+by+" lang --decisions d --scores s --sample 500 -o kept.jsonl data.jsonl"); !strings.Contains(out, "no fault; 0 of 500 sampled kept") {
			t.Error(out)
		}
	}
}
