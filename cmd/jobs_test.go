package cmd_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// numbersOfJobs are the numbers of threads that the tests below compare.
var numbersOfJobs = strings.Fields("1 2 3 7 16")

// A jobRecord is a record of the tests of threads.
type jobRecord struct {
	ID   string `json:"id" parquet:"id"`
	Text string `json:"text" parquet:"text"`
	N    int64  `json:"n" parquet:"n"`
}

// jobRecords returns about a megabyte of records: near-duplicates, copies, shared passages, short
// texts, and one text that is longer than the blocks in which inputs are read.
func jobRecords() (all []jobRecord) {
	r := rand.New(rand.NewPCG(5, 3))
	shared := strings.Join(words(r, 20), " ")
	add := func(w []string) {
		n := int64(len(all))
		all = append(all, jobRecord{fmt.Sprint("r", n), strings.Join(w, " "), n % 7})
	}
	for family := range 200 {
		w := words(r, 10+r.IntN(120))
		for range 1 + family%4 {
			add(w)
			w[r.IntN(len(w))] = "\"other\"\n"
		}
		switch family % 10 {
		case 0:
			add(append(words(r, 5), shared))
		case 1:
			add([]string{"x"})
		case 2:
			add(w)
		}
		if family == 150 {
			add(words(r, 35000))
		}
	}
	return all
}

// jsonLines returns records as JSON lines.
func jsonLines(records []jobRecord) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, "{\"id\":%q,\"text\":%q,\"n\":%d}\n", r.ID, r.Text, r.N)
	}
	return b.String()
}

// measured matches what a run measures of itself.
var measured = regexp.MustCompile(`; [0-9.]+ s, [0-9]+ MB at the peak`)

// sameJobs runs a command line with each number of threads, and compares status, standard output,
// messages and files. It returns the first result.
func sameJobs(t *testing.T, w *waySet, name, line string) (want ending) {
	t.Helper()
	var wrote map[string]string
	for _, jobs := range numbersOfJobs {
		got := w.try(t, append(wordsOf(name, line), "-j", jobs), stdinOf(name))

		got.Allocated, got.Stderr = 0, measured.ReplaceAllString(got.Stderr, "")
		files := w.files(t)
		w.clear(t)
		if jobs == numbersOfJobs[0] {

			want, wrote = got, files
			continue
		}
		if d := differ(want, got, wrote, files); d != "" || got != want {
			t.Errorf("%s %s: -j %s and -j 1 differ: %s\n%.1500q\nnot\n%.1500q", name, line, jobs, d, got.Stderr, want.Stderr)
		}
	}
	return want
}

// TestJobs checks that no result of any command depends on the number of threads. The inputs have
// several blocks, and end in the middle of one.
func TestJobs(t *testing.T) {
	made, all := t.TempDir(), jobRecords()
	must(t, os.WriteFile(filepath.Join(made, "r.jsonl"), []byte(jsonLines(all)), 0o600))
	must(t, os.WriteFile(filepath.Join(made, "o.jsonl"), []byte(jsonLines(all[:40])), 0o600))
	runScript(t, made, preparedLists)
	w := newWays(t, made)
	for _, name := range commandNames(t) {
		if !slices.ContainsFunc(flagsOf(name), func(f []string) bool { return f[0] == "jobs" }) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, line := range lines[name] {
				if !strings.Contains(line, "--print") && !strings.Contains(line, "--plan") { // which print the number of threads
					sameJobs(t, w, name, line)
				}
			}
		})
	}
}

// readings are inputs in all forms that are read in blocks.
var readings = strings.Split(`cut.jsonl none.jsonl crlf.jsonl
rows.csv
rows.tsv
array.json cut.jsonl
groups.parquet
members.jsonl.gz frames.jsonl.zst cut.jsonl
blocks.jsonl.gz stream.jsonl.zst
mixed.jsonl.gz cut.jsonl`, "\n")

// faultyReadings are inputs with a fault after the first block.
var faultyReadings = strings.Split(`bad.jsonl cut.jsonl
-k bad.jsonl cut.jsonl
-k bad.csv
crlf.jsonl bad.frames.jsonl.zst cut.jsonl
cut.jsonl bad.stream.jsonl.zst
-k cut.jsonl bad.stream.jsonl.zst
torn.frames.jsonl.zst
torn.blocks.jsonl.gz
torn.members.jsonl.gz
torn.mixed.jsonl.gz
-k bad.mixed.jsonl.gz cut.jsonl
damaged.mixed.jsonl.gz
-k damaged.frames.jsonl.zst
damaged.stream.jsonl.zst
damaged.blocks.jsonl.gz
--max-record 200K crlf.jsonl cut.jsonl
-k --max-record 1000 frames.jsonl.zst
--expect 100000 cut.jsonl
cut.jsonl frames.jsonl.zst cut.jsonl`, "\n")

// TestJobsReading checks that the number of threads changes neither records, ids, lines nor
// messages, in whatever form the records are read.
func TestJobsReading(t *testing.T) {
	w := newWays(t, writeReadings(t))
	for status, all := range map[int][]string{0: readings, 2: faultyReadings} {
		for _, line := range all {
			line = "-m exact -H --field text --id id -o x " + line
			if r := sameJobs(t, w, "recsign", line); r.Status != status {
				t.Errorf("recsign %s: status %d, want %d: %s", line, r.Status, status, r.Stderr)
			}
		}
	}
	for _, line := range readings {
		sameJobs(t, w, "recuniq", "--field text "+line)
	}
	for _, line := range []string{"--lines cut.jsonl crlf.jsonl", "-0 --lines frames.jsonl.zst", "-m exact --split lines cut.jsonl"} {
		sameJobs(t, w, "recsign", line)
	}
}

// writeReadings writes the files of readings, and returns their directory.
func writeReadings(t *testing.T) string {
	dir, all := t.TempDir(), jobRecords()
	put := func(name, text string) { must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)) }
	lines := jsonLines(all)
	bad := strings.Replace(lines, "{\"id\":\"r350\"", "{\"id\":\"r350", 1)
	put("none.jsonl", "")
	put("cut.jsonl", strings.TrimSuffix(lines, "\n"))
	put("crlf.jsonl", "\ufeff"+strings.ReplaceAll(strings.ReplaceAll(lines, "\n", "\r\n"), "7}\r\n", "7}\n\r\n \r\n"))
	put("bad.jsonl", bad)
	put("array.json", "[\n"+strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", ",\n  ")+"]")
	var table strings.Builder
	rows := csv.NewWriter(&table)
	rows.Write([]string{"id", "text", "n"})
	for _, r := range all {
		rows.Write([]string{r.ID, r.Text, strconv.FormatInt(r.N, 10)})
	}
	rows.Flush()
	put("rows.csv", strings.TrimSuffix(table.String(), "\n"))
	put("bad.csv", strings.Replace(table.String(), "\nr350,", "\nr350,,", 1))
	put("rows.tsv", "id\ttext\tn\n"+strings.NewReplacer("{\"id\":", "", ",\"text\":", "\t", ",\"n\":", "\t", "}\n", "\n").Replace(lines))
	var groups bytes.Buffer
	columns := parquet.NewGenericWriter[jobRecord](&groups, parquet.MaxRowsPerRowGroup(150))
	_, err := columns.Write(all)
	must(t, errors.Join(err, columns.Close()))
	put("groups.parquet", groups.String())
	for form, pack := range packings {
		whole := pack(lines)
		put(form, whole)
		put("torn."+form, whole[:len(whole)-len(whole)/3])
		put("bad."+form, pack(bad))
		put("damaged."+form, whole[:len(whole)/2]+"damage"+whole[len(whole)/2+6:])
	}
	return dir
}

// packings are the ways of compressing that readings name.
var packings = map[string]func(text string) string{
	"stream.jsonl.zst": func(text string) string { // one frame, without its size
		var b bytes.Buffer
		z, _ := zstd.NewWriter(&b)
		io.WriteString(z, text)
		z.Flush()
		z.Close()
		return b.String()
	},
	"frames.jsonl.zst": func(text string) string { // frames with their sizes, one of them empty
		z, _ := zstd.NewWriter(nil)
		all := z.EncodeAll(nil, z.EncodeAll(nil, nil))
		for _, piece := range pieces(text, 90000) {
			all = z.EncodeAll([]byte(piece), all)
		}
		return string(all)
	},
	"members.jsonl.gz": func(text string) string { return members(text, 90000, "") },
	"blocks.jsonl.gz":  func(text string) string { return members(text, 60000, "BC\x02\x00..") + members("", 1, "BC\x02\x00..") },
	"mixed.jsonl.gz": func(text string) string { // blocks, zeros, a long member and short ones
		third := len(text) / 3
		return members(text[:third], 60000, "BC\x02\x00..") + strings.Repeat("\x00", 1000) +
			members(text[third:2*third], third, "") + members(text[2*third:], 50000, "")
	},
}

// members returns a text as members of gzip, each of the given size. If the extra field of their headers
// is that of BGZF, it gets the member's size less 1.
func members(text string, size int, extra string) string {
	var all []byte
	some := pieces(text, size)
	if text == "" {
		some = []string{""} // one empty member
	}
	for _, piece := range some {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Extra = []byte(extra)
		io.WriteString(z, piece)
		z.Close()
		if extra != "" {
			binary.LittleEndian.PutUint16(b.Bytes()[16:], uint16(b.Len()-1))
		}
		all = append(all, b.Bytes()...)
	}
	return string(all)
}

// pieces divides a text into pieces of the given size.
func pieces(text string, size int) (all []string) {
	for piece := range slices.Chunk([]byte(text), size) {
		all = append(all, string(piece))
	}
	return all
}
