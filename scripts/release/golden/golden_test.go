// Package golden_test checks the files that a later version may have to read: signatures, keys,
// pairs, scores, decisions, caches and journals. It compares them with the files that earlier
// versions wrote. testdata/golden has a directory for each version that changed one of the files.
//
// If a scheme or format has the same name in two versions, its files must have the same bytes in
// both, so a change of the bytes needs a new name. Commands that read the files of an earlier
// version must still have the output that was recorded with the files. UPDATE=1 records files
// and outputs, but only for the version in scripts/release/VERSION.
package golden_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/stage/stagetest/script"
)

func TestMain(m *testing.M) { script.Main(m) }

const top = "../../../testdata/golden"

// A goldenFile is a file and the command that writes it. In the command, $O is the name of the
// file, and $I is the directory of the inputs. The command runs in a directory that contains a
// copy of the inputs and the golden files listed before this file.
type goldenFile struct {
	name, command string
	format        *regexp.Regexp // matches the name of the scheme or format; nil if the file contains none
}

var (
	scheme   = regexp.MustCompile(`(?m)^[^#\t\n][^\t\n]*\t([a-z]+/[^\t\n]+)\t|"scheme":"([^"]+)"`)
	first    = regexp.MustCompile(`^(?:fzseen[0-9]+|doppel files cache [0-9]+)`)
	passages = regexp.MustCompile(`(?m)^[0-9a-f]+\.([^\t]+)\t`)
)

var files = []goldenFile{
	{"minhash.sigs", "recsign -o $O articles.jsonl", scheme},
	{"minhash-json.sigs", "recsign --json -o $O articles.jsonl", scheme},
	{"minhash-c5-64x8.sigs", "recsign --shingle c5 --slots 64 --slot-bits 8 --normalize aggressive -o $O articles.jsonl", scheme},
	{"minhash-keyed.sigs", "recsign --key key -o $O articles.jsonl", scheme},
	{"simhash.sigs", "recsign -m simhash -o $O articles.jsonl", scheme},
	{"simhash-xxh3-128.sigs", "recsign -m simhash -b 128 --hash xxh3 --unicode NFKC -o $O articles.jsonl", scheme},
	{"sample.sigs", "recsign -m sample -o $O articles.jsonl", scheme},
	{"winnow.sigs", "recsign -m sample --winnow 8 -o $O articles.jsonl", scheme},
	{"exact.sigs", "recsign -m exact -o $O articles.jsonl", scheme},
	{"exact-keyed.sigs", "recsign -m exact --key key -o $O articles.jsonl", scheme},
	{"passage.sigs", "recsign -m passage -o $O articles.jsonl", scheme},
	{"split.sigs", "recsign --split blank -o $O articles.jsonl", scheme},
	{"split-sentences.sigs", "recsign -m exact --split sentences --least 20 -o $O articles.jsonl", scheme},
	{"fuzzy.saved", "doppel fuzzy --stats none --save $O articles.jsonl", scheme},
	{"fuzzy-ids.saved", "doppel fuzzy --stats none --id id --save $O articles.jsonl", scheme},
	{"exact.saved", "doppel exact --stats none --field text --save $O articles.jsonl", scheme},
	{"split.saved", "recuniq --field text --split lines --save $O articles.jsonl", scheme},
	{"seen.sigs", "recuniq --field text --save $O articles.jsonl", scheme},
	{"minhash.keys", "lshkeys -o $O minhash.sigs", nil},
	{"simhash.keys", "lshkeys -o $O simhash.sigs", nil},
	{"sample.keys", "lshkeys -o $O sample.sigs", nil},
	{"exact.keys", "lshkeys -o $O exact.sigs", nil},
	{"passage.keys", "lshkeys -o $O passage.sigs", passages},
	{"pairs", "lshpairs -o $O minhash.sigs", nil},
	{"distances", "simpairs -r 0.3 -o $O simhash.sigs", nil},
	{"scores", "jaccard --records articles.jsonl -o $O pairs", nil},
	{"scores.json", "jaccard --json --records articles.jsonl -o $O pairs", nil},
	{"decisions", "dupgroup --cut 0.8 -o $O scores", nil},
	{"decisions.json", "dupgroup --json --cut 0.8 -o $O scores", nil},
	{"fuzzy.decisions", "doppel fuzzy --stats none --decisions $O articles.jsonl", nil},
	{"fuzzy.scores.jsonl", "doppel fuzzy --stats none --scores $O articles.jsonl", nil},
	{"fuzzy.removed", "doppel fuzzy --stats none --removed $O articles.jsonl", nil},
	{"exact.decisions", "doppel exact --stats none --field text --decisions $O articles.jsonl copy.jsonl", nil},
	{"split.decisions", "doppel exact --stats none --field text --split lines --decisions $O articles.jsonl", nil},
	{"passages.decisions", "doppel passages --stats none --decisions $O articles.jsonl", nil},
	{"items", "{ sed -n '3p;8p;19,21p' copy.jsonl; echo '{\"text\":\"one two three four five six seven eight nine\"}'; } > $O", nil},
	{"overlap", "doppel overlap --stats none --test items --show -o $O articles.jsonl", nil},
	{"overlap.json", "doppel overlap --stats none --test items --json -o $O articles.jsonl", nil},
	{"overlap.decisions", "doppel overlap --stats none --test items --decisions $O articles.jsonl", nil},
	{"overlap-cut.decisions", "doppel overlap --stats none --test items --cut --decisions $O articles.jsonl", nil},
	{"overlap.spoiled", "doppel overlap --stats none --test items --spoiled $O articles.jsonl", nil},
	{"overlap.common", "doppel overlap --stats none --test items --df 2 --common $O articles.jsonl", nil},
	{"sieve.decisions", "recsieve --decisions $O articles.jsonl copy.jsonl", nil},
	{"keypairs.common", "LC_ALL=C sort minhash.keys | keypairs --df 1 --common $O", nil},
	{"cluster-size.jsonl", "doppel fuzzy --stats none --cluster-size copies -o $O articles.jsonl", nil},
	{"spans", "LC_ALL=C sort passage.keys | dupspan --records articles.jsonl -o $O", nil},
	{"quality", "recfilter -o $O articles.jsonl", nil},
	{"matches", "matchsub --records articles.jsonl -o $O pairs", nil},
	{"files", "blockhash -o $O articles.jsonl copy.jsonl inbox.mbox", nil},
	{"sums", "fuzzysum --mbox -o $O inbox.mbox", nil},
	{"mail.cache", "cut -c1-32 sums | fuzzyseen -f -D 4096 $O", first},
	{"files.cache", "doppel files --cache $O $I", first},
	{"journal", "dupreview --records articles.jsonl --keys a2sb -o $O scores", nil},
}

// unstable matches the parts of a file cache that differ between runs: the device, inode and
// times of each file, and the checksum of the cache.
var unstable = regexp.MustCompile(`\t[0-9]+\t[0-9]+\t([0-9]+)\t[0-9.]+\t[0-9.]+\t|([0-9]) [0-9a-f]{32}\n`)

// seal matches the first line of a file that an earlier version sealed.
var seal = regexp.MustCompile(`^(?:#doppel |\{"#doppel":")sealed .*\n`)

// These commands read the files of a version, in the directory $G. The output of the command NAME
// is recorded in $G/NAME.read.
var reads = []struct{ name, command string }{
	{"minhash", "for f in $G/minhash*.sigs; do lshpairs $f; jaccard --sigs $f $G/pairs; done"},
	{"simhash", "for f in $G/simhash*.sigs; do simpairs -r 0.3 $f; lshkeys $f | LC_ALL=C sort | keypairs; done"},
	{"sample", "for f in $G/sample.sigs $G/winnow.sigs; do lshkeys $f | LC_ALL=C sort | keypairs; done"},
	{"exact", "for f in $G/exact*.sigs; do lshpairs $f; done"},
	{"split", "lshpairs $G/split.sigs"},
	{"against", "doppel fuzzy --stats none --against $G/minhash.sigs articles.jsonl | wc -l"},
	{"seen", "recuniq --field text --against $G/seen.sigs articles.jsonl | wc -l"},
	{"saved", "echo '{\"text\":\"a new record\"}' | cat articles.jsonl - > new.jsonl; for f in fuzzy fuzzy-ids; do doppel fuzzy --stats none --against $G/$f.saved new.jsonl; done; doppel exact --stats none --field text --against $G/exact.saved new.jsonl; recuniq --field text --split lines --against $G/split.saved articles.jsonl | cksum"},
	{"keys", "for f in $G/*.keys; do reccat --lines $f | LC_ALL=C sort | keypairs; done"},
	{"passages", "reccat --lines $G/passage.keys | LC_ALL=C sort | dupspan --records articles.jsonl"},
	{"pairs", "jaccgroup --records articles.jsonl -t 0.8 $G/pairs"},
	{"scores", "dupgroup --cut 0.9 $G/scores; dupgroup --cut 0.9 $G/scores.json; doppel cut --stats none -t 0.9 --scores $G/scores articles.jsonl | cksum"},
	{"decisions", "for f in decisions decisions.json fuzzy.decisions split.decisions passages.decisions overlap.decisions overlap-cut.decisions spans quality; do keepdrop --decisions $G/$f articles.jsonl | cksum; done; for f in exact.decisions sieve.decisions; do keepdrop --decisions $G/$f articles.jsonl copy.jsonl | cksum; done; keepdrop --decisions $G/overlap.spoiled $G/items | cksum"},
	{"cut", "doppel cut --stats none -t 0.9 --scores $G/fuzzy.scores.jsonl articles.jsonl | cksum"},
	{"scores-parquet", "doppel fuzzy --stats none --scores s.parquet articles.jsonl > kept; reccat s.parquet"},
	{"cluster-size", "doppel exact --stats none --field text --cluster-size times --repeat 1:1,2:2 articles.jsonl copy.jsonl | cksum; reccat $G/cluster-size.jsonl | cksum"},
	{"audit", "keepdrop --decisions $G/fuzzy.decisions -o clean.jsonl articles.jsonl && doppel audit --decisions $G/fuzzy.decisions -o clean.jsonl articles.jsonl"},
	{"matches", "reccat --lines $G/matches | cksum"},
	{"mail", "cp $G/mail.cache cache && cut -c1-32 $G/sums | fuzzyseen -f -D 4096 cache | wc -l"},
	{"files", "cp $G/files.cache cache && doppel files --cache cache $I > listed && sed 1d $G/files.cache > old && grep -cxFf old cache"},
	{"journal", "cp $G/journal journal && dupreview --records articles.jsonl --keys b -o journal $G/scores && cat journal && keepdrop --decisions journal articles.jsonl | wc -l"},
}

// TestWritten compares each file with the files of the recorded versions: if the names of schemes
// and formats are the same, the bytes must be the same, too.
func TestWritten(t *testing.T) {
	dir, current := inputs(t), version(t)
	versions := recorded(t)
	for _, f := range files {
		sh(t, dir, f.command, "O="+f.name)
		now, err := os.ReadFile(filepath.Join(dir, f.name))
		if err != nil {
			t.Fatal(err)
		}
		known := false
		for _, v := range versions {
			then, err := os.ReadFile(filepath.Join(top, v, f.name))
			if os.IsNotExist(err) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			same := bytes.Equal(stable(now), stable(unsealed(then)))
			known = known || same
			if again := os.Getenv("UPDATE") != "" && v == current; !same && !again && slices.Equal(names(f.format, now), names(f.format, then)) {
				t.Errorf("%s: bytes differ from %s under the same name %q: give the new format a new name, and keep reading the old one",
					f.name, v, names(f.format, now))
			}
		}
		switch {
		case known:
		case os.Getenv("UPDATE") != "":
			record(t, filepath.Join(top, current, f.name), now)
		default:
			t.Errorf("%s: no version has it; UPDATE=1 records it for %s", f.name, current)
		}
	}
}

// TestRead checks that commands on the files of every version still have the recorded output.
func TestRead(t *testing.T) {
	current := version(t)
	for _, v := range recorded(t) {
		golden, err := filepath.Abs(filepath.Join(top, v))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reads {
			t.Run(v+"/"+r.name, func(t *testing.T) {
				now := sh(t, inputs(t), r.command, "G="+golden)
				if os.Getenv("UPDATE") != "" && v == current {
					record(t, filepath.Join(golden, r.name+".read"), now)
				}
				then, err := os.ReadFile(filepath.Join(golden, r.name+".read"))
				if err != nil {
					t.Fatal(err)
				}
				if len(then) == 0 || !bytes.Equal(now, then) {
					t.Errorf("%s: gives\n%s, gave\n%s", r.command, now, then)
				}
			})
		}
	}
}

// TestNames checks that names finds the schemes and formats in each kind of file.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		format *regexp.Regexp
		text   string
		want   []string
	}{
		{scheme, "#doppel sealed lines=1\n0\tminhash/h2/w3\tx\n1\tminhash/h2/w3\ty\n", []string{"minhash/h2/w3"}},
		{scheme, `{"id":"0","scheme":"simhash/c2","signature":"x"}`, []string{"simhash/c2"}},
		{first, "fzseen1\n\x00", []string{"fzseen1"}},
		{first, "doppel files cache 2 99aa", []string{"doppel files cache 2"}},
		{passages, "0ae9.200/k50/none\t0\n", []string{"200/k50/none"}},
		{nil, "0\t1\n", nil},
	} {
		if got := names(c.format, []byte(c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// names returns the distinct names of schemes and formats in a file, sorted.
func names(format *regexp.Regexp, text []byte) (found []string) {
	if format == nil {
		return nil
	}
	for _, at := range format.FindAllSubmatch(text, -1) {
		name := string(bytes.Join(at[1:], nil))
		if len(at) == 1 {
			name = string(at[0])
		}
		found = append(found, name)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// unsealed returns a file without its seal, which is no longer written.
func unsealed(text []byte) []byte { return seal.ReplaceAll(text, nil) }

func stable(text []byte) []byte { return unstable.ReplaceAll(text, []byte("\t$1$2\n")) }

// inputs returns a directory with a copy of the inputs.
func inputs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(top, "inputs"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// recorded returns the versions in testdata/golden.
func recorded(t *testing.T) (versions []string) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(top, "[0-9]*"))
	if err != nil || len(dirs) == 0 && os.Getenv("UPDATE") == "" {
		t.Fatalf("no versions in %s: %v", top, err)
	}
	for _, dir := range dirs {
		versions = append(versions, filepath.Base(dir))
	}
	return versions
}

func version(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

func record(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sh runs a command, which must succeed, and returns its standard output.
func sh(t *testing.T, dir, command, variable string) []byte {
	t.Helper()
	c := exec.Command("sh", "-euc", command)
	var stderr strings.Builder
	// $I names the originals, because the copies are too recent for the cache of "doppel files".
	originals, err := filepath.Abs(filepath.Join(top, "inputs"))
	if err != nil {
		t.Fatal(err)
	}
	c.Dir, c.Env, c.Stderr = dir, append(os.Environ(), variable, "I="+originals), &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w: %s%s", command, err, out, &stderr))
	}
	return out
}
