package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// sealedKinds lists the kinds of sealed files, each with a command that writes one to FILE.
var sealedKinds = []struct{ name, write, ext string }{
	{"signatures", "recsign -H -o FILE DATA", ""},
	{"signatures.zst", "recsign -H -o FILE DATA", ".zst"},
	{"signatures.gz", "recsign -H -o FILE DATA", ".gz"},
	{"saved", "doppel fuzzy --stats none -o /dev/null --save FILE DATA", ""},
	{"hashes", "recuniq --field text -o /dev/null --save FILE DATA", ""},
	{"simhashes", "recsign -m simhash -H -o FILE DATA", ""},
	{"passages", "recsign -m passage --length 40 -H -o FILE DATA", ""},
	{"keys", "lshkeys -o FILE SIGNATURES", ""},
	{"keys of passages", "lshkeys -o FILE PASSAGES", ""},
	{"scores", "doppel fuzzy --stats none -t 0.5 -o /dev/null --scores FILE --decisions decided DATA", ""},
	{"scores.jsonl", "doppel fuzzy --stats none -t 0.5 -o /dev/null --scores FILE DATA", ".jsonl"},
	{"distances", "simpairs --within 20 -o FILE SIMHASHES", ""},
	{"decisions", "doppel fuzzy --stats none -t 0.5 -o /dev/null --decisions FILE DATA", ""},
	{"decisions.jsonl", "dupgroup --cut 0.5 --json -o FILE SCORES", ".jsonl"},
	{"sieved", "recsieve -t 0.5 -o /dev/null --decisions FILE DATA", ""},
	{"filtered", "recfilter --min-length 3000 -o FILE DATA", ""},
}

var sealedReaders = map[string][]string{
	"signatures": {
		"lshpairs FILE", "lshkeys FILE", "jaccard --sigs FILE NAMEDPAIRS", "lshpairs --against FILE OTHER", "lshpairs --against OTHER FILE", "reccat --lines FILE",
		"recsign -H --without NONE DATA < FILE > /dev/null; lshpairs < FILE",
	},
	"signatures.zst":   {"lshpairs FILE", "lshkeys < FILE"},
	"signatures.gz":    {"lshpairs FILE", "jaccard --sigs FILE NAMEDPAIRS"},
	"saved":            {"doppel fuzzy --stats none --against FILE DATA"},
	"hashes":           {"recuniq --field text --against FILE DATA", "doppel exact --stats none --field text --against FILE DATA", "lshpairs FILE"},
	"simhashes":        {"simpairs FILE", "simpairs --all FILE", "lshpairs FILE"},
	"passages":         {"lshkeys FILE"},
	"keys":             {"keypairs --unsorted FILE", "reccat --lines FILE"},
	"keys of passages": {"dupspan -H --records DATA FILE", "dupspan --scan --length 40 --against FILE --against-records DATA --records DATA"},
	"scores":           {"dupgroup --cut 0.5 FILE", "doppel cut --stats none -t 0.6 --scores FILE DATA", "dupreport --records DATA --decisions DECISIONS --scores FILE", "dupreview --records DATA --keys q FILE", "matchsub --records DATA FILE", "jaccard --records DATA FILE", "jaccgroup --records DATA FILE"},
	"scores.jsonl":     {"dupgroup --cut 0.5 FILE", "doppel cut --stats none -t 0.6 --scores FILE DATA"},
	"distances":        {"reccat --lines FILE"},
	"decisions":        {"keepdrop --decisions FILE DATA", "keepdrop --decisions FILE --annotate DATA", "dupreport --records DATA --decisions FILE", "doppel groups --list FILE DATA", "recsign --without FILE DATA"},
	"decisions.jsonl":  {"keepdrop --decisions FILE DATA", "dupreport --records DATA --decisions FILE"},
	"sieved":           {"keepdrop --decisions FILE DATA"},
	"filtered":         {"keepdrop --decisions FILE DATA"},
}

// TestSealed checks that every tool that reads sealed files detects damage: a flipped bit, a
// missing tail and reordered lines are errors that name the file. It also checks that tools
// accept concatenated files, lines without a seal, and sealed lines that sort writes to a
// pipe.
func TestSealed(t *testing.T) {
	dir := t.TempDir()
	articles, err := os.ReadFile("../testdata/docs/articles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	place := func(name string) string { return filepath.Join(dir, name) }
	put := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(place(name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("data.jsonl", articles)
	put("none", nil)
	words := strings.NewReplacer("DATA", "data.jsonl", "SIGNATURES", "signatures", "SIMHASHES", "simhashes", "PASSAGES", "passages",
		"SCORES", "scores", "DECISIONS", "decided", "NAMEDPAIRS", "pairs", "OTHER", "other", "NONE", "none")
	shell := func(line, file string) result {
		return run(in(dir, "sh", "-c", words.Replace(strings.ReplaceAll(line, "FILE", file))), "")
	}
	made := func(line, file string) {
		t.Helper()
		if r := shell(line, file); r.status != 0 {
			t.Fatalf("%s: %s", line, r.stderr)
		}
	}
	for _, kind := range sealedKinds {
		file := strings.ReplaceAll(strings.TrimSuffix(kind.name, kind.ext), " ", "-") + kind.ext
		made(kind.write, file)
		if kind.name == "signatures" {
			made("recsign -H data.jsonl > FILE", "other")
			made("lshpairs signatures > FILE", "pairs")
		}
		t.Run(kind.name, func(t *testing.T) {
			if kind.ext == ".zst" {
				stagetest.Need(t, t.Name(), "zstd")
			}
			text, err := os.ReadFile(place(file))
			if err != nil {
				t.Fatal(err)
			}
			plain := shell("case FILE in *.gz) gzip -dc FILE ;; *.zst) zstd -dc FILE ;; *) cat FILE ;; esac", file).stdout
			first, lines, _ := strings.Cut(plain, "\n")
			if !strings.Contains(first, "#doppel") || strings.Count(lines, "\n") < 4 || strings.Contains(lines, "#doppel") {
				t.Fatalf("%.300q is not sealed", plain)
			}
			broken := map[string][]byte{"no tail": text[:len(text)-len(text)/5], "no last byte": text[:len(text)-1]}
			for i := range 2 {
				flipped := bytes.Clone(text)
				flipped[len(text)*(3+i)/5] ^= 1
				broken[fmt.Sprint("bit ", i)] = flipped
			}
			if kind.ext == "" || kind.ext == ".jsonl" {
				put("lines"+kind.ext, []byte(lines))
				all := strings.SplitAfter(lines, "\n")
				all[0], all[2] = all[2], all[0]
				broken["swapped"] = []byte(first + "\n" + strings.Join(all, ""))
				broken["fewer lines"] = []byte(first + "\n" + strings.Join(all[:len(all)-2], ""))
			}
			for i, reader := range sealedReaders[kind.name] {
				if i == 1 { // one tool is enough for these faults, because all tools share the code
					delete(broken, "no last byte")
					delete(broken, "fewer lines")
					delete(broken, "bit 1")
				}
				want := shell(reader, file)
				if want.status != 0 || strings.Contains(want.stderr, "seal") {
					t.Errorf("%s: %d, %s", reader, want.status, want.stderr)
				}
				for name, text := range broken {
					put("broken"+kind.ext, text)
					r := shell(reader, "broken"+kind.ext)
					if from := "broken" + kind.ext; strings.Contains(reader, "< FILE") {
						from = "<stdin>"
					} else if r.status != 2 || !strings.Contains(r.stderr, from) {
						t.Errorf("%s, %s: %d, %q", reader, name, r.status, r.stderr)
					}
				}
				if broken["swapped"] == nil {
					continue
				}
				if r := shell(reader, "lines"+kind.ext); r.status != 0 || r.stdout != want.stdout && !strings.Contains(r.stdout, "lines") {
					t.Errorf("%s without a seal: %d, %s", reader, r.status, r.stderr)
				}
				shell("LC_ALL=C sort -r "+file+" > FILE", "broken"+kind.ext)
				if r := shell(reader, "broken"+kind.ext); r.status != 2 {
					t.Errorf("%s, sorted: %d, %s", reader, r.status, r.stderr)
				}
			}
		})
	}
	// Sorting the lines of sealed files in a pipe causes no message, because no line is missing.
	made("lshkeys signatures | LC_ALL=C sort | keypairs > FILE", "want")
	for _, line := range []string{
		"cat keys | LC_ALL=C sort | keypairs", "LC_ALL=C sort -r keys | LC_ALL=C sort | keypairs",
		"(sed 1q keys; sed 1d keys | head -n 20) > FILE; lshkeys --parts 2 --into parts signatures; cat parts | LC_ALL=C sort | keypairs",
	} {
		r := shell(line, "head")
		if want, err := os.ReadFile(place("want")); err != nil || r.stdout != string(want) || r.stderr != "" {
			t.Errorf("%s: %+v, %v", line, r, err)
		}
	}
	r := shell("head -n 20 keys | LC_ALL=C sort | keypairs", "")
	if want := "keypairs: <stdin>: the lines do not match the seal: they were damaged or changed\n"; r.status != 0 || r.stderr != want {
		t.Errorf("a part in a pipe: %+v", r)
	}
	if r := shell("cat signatures other > FILE; cat other > both; lshkeys FILE | sort > a; (lshkeys signatures; lshkeys other) | sort | cmp - a", "joined"); r.status != 0 {
		t.Errorf("joined: %+v", r)
	}
	if r := shell("recsign -H data.jsonl > FILE; doppel fuzzy --against FILE data.jsonl", "earlier"); !strings.Contains(r.stderr, "doppel fuzzy: earlier: has no seal, so damage may go unnoticed") {
		t.Errorf("of an earlier version: %+v", r)
	}
	if !slices.Equal([]byte(shell("reccat --lines FILE", "signatures").stdout), []byte(shell("recsign -H data.jsonl", "").stdout)) {
		t.Error("reccat --lines does not leave out the seal")
	}
}
