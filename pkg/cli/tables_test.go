package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"doppel/pkg/dedup/model"
	"doppel/pkg/record"
	"doppel/pkg/review/textstore"
)

// A randomTable holds rows of the columns id, text and lang, in two directories named year=…. The
// text of a row may be empty, which stands for a missing text.
type randomTable struct {
	rows      [][3]string
	years     []string // the directory of each row
	separator byte
	encoding  string
	dir       string
}

// encodings maps names of encodings to encoders.
var encodings = map[string]encoding.Encoding{
	"utf-8": encoding.Nop, "latin1": charmap.ISO8859_1, "windows-1252": charmap.Windows1252, "utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
}

func drawTable(r *rand.Rand, dir string) *randomTable {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	t := &randomTable{separator: pick(";", "|", "\t", ",")[0], encoding: pick("utf-8", "latin1", "windows-1252", "utf-16le"), dir: dir}
	for i := range 3 + r.IntN(8) {
		var words []string
		for range r.IntN(6) {
			words = append(words, pick("über", "a;b", "x|y", "1,5", "so", "ja", `"ja"`, "na\nja", "tab\there", "§3"))
		}
		t.rows = append(t.rows, [3]string{fmt.Sprint("i", i), strings.Join(words, " "), pick("de", "en")})
		t.years = append(t.years, pick("2023", "2024"))
	}
	slices.Sort(t.years)
	return t
}

// write writes the rows as JSON lines, in which a missing text is null, and as a table, one file for
// each year.
func (t *randomTable) write(tb testing.TB) {
	tb.Helper()
	for _, year := range []string{"2023", "2024"} {
		var lines, table bytes.Buffer
		fmt.Fprintf(&table, "id%ctext%[1]clang\n", t.separator)
		for i, row := range t.rows {
			if t.years[i] != year {
				continue
			}
			text := any(row[1])
			if row[1] == "" {
				text = nil
			}
			object, _ := json.Marshal(map[string]any{"id": row[0], "text": text, "lang": row[2]})
			fmt.Fprintf(&lines, "%s\n", object)
			for k, field := range row {
				if strings.ContainsAny(field, "\"\n"+string(t.separator)) {
					field = `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
				}
				fmt.Fprintf(&table, "%s%c", field, [3]byte{t.separator, t.separator, '\n'}[k])
			}
		}
		coded, err := encodings[t.encoding].NewEncoder().Bytes(table.Bytes())
		if err != nil {
			tb.Fatal(err)
		}
		for name, data := range map[string][]byte{"lines/year=%s/a.jsonl": lines.Bytes(), "table/year=%s/a.csv": coded} {
			name = filepath.Join(t.dir, fmt.Sprintf(name, year))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				tb.Fatal(err)
			}
			if err := os.WriteFile(name, data, 0o666); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// options returns the options that read the table.
func (t *randomTable) options() []string {
	return []string{"--separator=" + strings.ReplaceAll(string(t.separator), "\t", "tab"), `--quote="`, "--encoding=" + t.encoding}
}

// kept returns the rows in JSON lines, with null as an empty string.
func kept(tb testing.TB, lines string) (rows []map[string]string) {
	tb.Helper()
	for line := range strings.Lines(lines) {
		row := map[string]string{}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			tb.Fatalf("%v: %s", err, lines)
		}
		rows = append(rows, row)
	}
	return rows
}

// want returns the rows that a plain reading of the pages keeps: of equal texts, the first in each
// year or in all; texts of fewer than least characters are dropped. In a table, an empty text is missing
// only for --missing drop.
func (t *randomTable) want(missing string, partitions, within, table bool, least int) (rows []map[string]string) {
	seen := map[string]bool{}
	for i, row := range t.rows {
		key := row[1]
		if within {
			key += "\x00" + t.years[i]
		}
		text := row[1] != ""
		if !text && missing == "drop" || (text || table && least > 0) && (seen[key] || utf8.RuneCountInString(row[1]) < least) {
			continue
		}
		seen[key] = true
		one := map[string]string{"id": row[0], "text": row[1], "lang": row[2]}
		if partitions {
			one["year"] = t.years[i]
		}
		rows = append(rows, one)
	}
	return rows
}

// checkTable runs commands on a random table and on its rows as JSON lines.
func checkTable(tb testing.TB, r *rand.Rand, dir string) {
	tb.Helper()
	t := drawTable(r, dir)
	t.write(tb)
	missing, partitions := []string{"keep", "drop"}[r.IntN(2)], r.IntN(2) == 0
	steps := filepath.Join(dir, "steps.yaml")
	description := fmt.Sprintf("deduplication: {exact: {field: text, missing: %s}}\nfilters: {quality: {min_length: 12, min_word_count: 0, max_repetition_ratio: 1, min_unique_words_ratio: 0, max_special_char_ratio: 1, min_avg_word_length: 0, missing: %s}}\n", missing, missing)
	if err := os.WriteFile(steps, []byte(description), 0o666); err != nil {
		tb.Fatal(err)
	}
	run := func(command string, args ...string) string {
		got := model.Exec(Run, append(strings.Fields(command), args...)...)
		if got.Status != 0 {
			tb.Fatalf("%q: status %d: %s", append(strings.Fields(command), args...), got.Status, got.Stderr)
		}
		return got.Stdout
	}
	common := []string{}
	if !partitions {
		common = append(common, "--no-partitions")
	}
	table, lines := append(t.options(), filepath.Join(dir, "table")), []string{filepath.Join(dir, "lines")}
	within := partitions && r.IntN(2) == 0
	how := ""
	if within {
		how = " --within=year"
	}
	for _, command := range []string{
		"exact --stats=none --to=jsonl --field=text --missing=" + missing + how,
		"exact --stats=none --to=jsonl --field=text --removed=" + dir + "/r --missing=" + missing + how,
		"recuniq --to=jsonl --field=text --missing=" + missing + how,
		"pipeline --stats=none -o " + dir + "/o.jsonl -c " + steps,
	} {
		for n, input := range [][]string{table, lines} {
			args := append(slices.Clone(common), input...)
			out, want := run(command, args...), t.want(missing, partitions, within, n == 0, 0)
			if strings.HasPrefix(command, "pipeline") {
				data, _ := os.ReadFile(filepath.Join(dir, "o.jsonl"))
				out, want = string(data), t.want(missing, partitions, false, n == 0, 12)
			}
			if got := kept(tb, out); fmt.Sprint(got) != fmt.Sprint(want) {
				tb.Fatalf("%s %q\n%v\n%s, want\n%s", command, args, t, out, fmt.Sprint(want))
			}
		}
	}
	// Commands that are compared only between the table and the lines.
	text := "--missing=" + missing
	for _, command := range []string{
		"fuzzy --stats=none --to=jsonl -t.5 " + text, "passages --annotate --length=w2 " + text, "groups " + text, "recfilter --preset=lenient --missing=drop",
		"recsign -m exact --field=text " + text, "fuzzy --stats=none --to=jsonl -t.5 " + text + " --against " + dir + "/lines/year=2023",
	} {
		one := run(command, append(slices.Clone(common), table...)...)
		two := run(command, append(slices.Clone(common), lines...)...)
		if strings.Contains(command, "jsonl") {
			one, two = fmt.Sprint(kept(tb, one)), fmt.Sprint(kept(tb, two))
		}
		if one != two {
			tb.Fatalf("%s\n%v\n%s, from lines\n%s", command, t, one, two)
		}
	}
	t.checkTexts(tb, missing)
}

// checkTexts checks the texts that a reviewer sees.
func (t *randomTable) checkTexts(tb testing.TB, missing string) {
	tb.Helper()
	opt := record.Options{Fields: []string{"text"}, ID: "id", Missing: record.Missing(missing)}
	for _, d := range []record.Dialect{{}, {Separator: record.Separator(t.separator), Quote: '"', Encoding: record.Encoding(t.encoding)}} {
		opt.Dialect = d
		names, err := filepath.Glob(filepath.Join(t.dir, map[bool]string{true: "lines", false: "table"}[d.Encoding == ""], "*", "*"))
		if err != nil {
			tb.Fatal(err)
		}
		store := textstore.New(names, opt)
		if err := store.Read(); err != nil {
			tb.Fatal(err)
		}
		for _, row := range t.rows {
			if got, err := store.Text([]byte(row[0])); row[1] != "" && (err != nil || string(got) != row[1]) {
				tb.Fatalf("%v, %q: %q, %v", d, row, got, err)
			}
		}
		store.Close()
	}
}

// checkRandom calls a check n times, with random numbers from a seed that it logs.
func checkRandom(t *testing.T, n int, check func(testing.TB, *rand.Rand, string)) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		check(t, r, t.TempDir())
	}
}

// TestTables checks that the commands read a table in any dialect and encoding, in directories that
// are fields, as they read its rows as JSON lines.
func TestTables(t *testing.T) {
	checkRandom(t, 20, checkTable)
}

// FuzzTables is like TestTables, for any seed.
func FuzzTables(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkTable(t, rand.New(rand.NewPCG(seed, 1)), t.TempDir()) })
}
