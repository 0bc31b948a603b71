//go:build linux

package main

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/ulikunitz/xz"
)

// sizes of the inputs: big enough that a run has moments to be killed in, and
// small enough to be cut and flipped thousands of times.
const (
	manyRecords = 3000
	fewRecords  = 60
	manyFiles   = 120
)

// makeInputs writes what the cases read: records made here, and of them by the
// tools themselves, undisturbed, what flows between stages.
func (w *world) makeInputs() error {
	if err := os.Mkdir(w.inputs, 0o777); err != nil {
		return err
	}
	r := seeded(w.seed, "inputs")
	many, few := newCorpus(r, manyRecords), newCorpus(r, fewRecords)
	for name, data := range map[string][]byte{
		"many.jsonl":      many.jsonl(),
		"few.jsonl":       few.jsonl(),
		"uniq.jsonl":      few.jsonl(unique),
		"few.gz":          compressAll(asGzip, few.jsonl()),
		"few.xz":          compressAll(xz.NewWriter, few.jsonl()),
		"few.csv":         few.csv(),
		"n1":              bytes.Join(bytes.SplitAfter(few.jsonl(unique), []byte("\n"))[:20], nil),
		"n2":              bytes.Join(bytes.SplitAfter(few.jsonl(unique), []byte("\n"))[20:], nil),
		"steps.yaml":      []byte(steps),
		"filters.yaml":    []byte("filters:\n  quality:\n    min_word_count: 5\n"),
		"steps.toml":      []byte(stepsTOML),
		"filters.toml":    []byte(filtersTOML),
		"allfilters.yaml": []byte(allFilters),
		"fuzzy.yaml":      []byte("deduplication:\n  fuzzy:\n    threshold: 0.8\n"),
		"key":             []byte("0123456789abcdef0123456789abcdef"),
		"mail":            message(r),
		"mbox":            mbox(r, 20),
		"manysums":        randomSums(r, 3000),
	} {
		if err := os.WriteFile(filepath.Join(w.inputs, name), data, 0o666); err != nil {
			return err
		}
	}
	if err := w.unpack(); err != nil {
		return err
	}
	if err := makeTree(filepath.Join(w.inputs, "tree"), r, manyFiles); err != nil {
		return err
	}
	if err := makeMail(w.inputs, mails(r, 60)); err != nil {
		return err
	}
	return w.derive()
}

// packed holds Parquet files of another writer, and those that once crashed the
// tools; testdata/arrow.py writes the former.
//
//go:embed testdata/*.parquet testdata/*.bz2 testdata/crash/*.parquet
var packed embed.FS

func (w *world) unpack() error {
	files, err := fs.Sub(packed, "testdata")
	if err != nil {
		return err
	}
	return os.CopyFS(w.inputs, files)
}

// derived is inputs that tools make of others.
var derived = []struct{ name, script string }{
	{"few.zst", "reccat --to zst few.jsonl"},
	{"few.parquet", "reccat --to parquet few.jsonl"},
	{"many.parquet", "reccat --to parquet many.jsonl"},
	{"sigs", "recsign few.jsonl"},
	{"manysigs", "recsign many.jsonl"},
	{"simhashes", "recsign -m simhash few.jsonl"},
	{"samples", "recsign -m sample few.jsonl"},
	{"seen", "head -n 20 few.jsonl | recuniq --field text --save /dev/stdout -o /dev/null"},
	{"keys", "lshkeys sigs | sort"},
	{"spans", "recsign -m passage few.jsonl | lshkeys | sort"},
	{"spansof", "recsign -m passage -H few.jsonl | lshkeys | sort"},
	{"spandecisions", "dupspan --records few.jsonl spans"},
	{"pairs", "lshpairs sigs"},
	{"manypairs", "lshpairs manysigs"},
	{"scored", "jaccard --records few.jsonl pairs"},
	{"manyscored", "jaccard --records many.jsonl manypairs"},
	{"scored.parquet", "doppel fuzzy --stats none --scores scored0.parquet -o /dev/null few.jsonl; cat scored0.parquet; rm scored0.parquet"},
	{"hotkeys", "keypairs --df 2 --common hotkeys0 keys > /dev/null; cat hotkeys0; rm hotkeys0"},
	{"judged", "dupreview --records few.jsonl --keys a2a2aau2a2 scored"},
	{"measured", "doppel measure --no-progress few.jsonl"},
	{"decisions", "dupgroup --cut 0.8 scored"},
	{"clean", "keepdrop --decisions decisions few.jsonl"},
	{"fewdecisions", "awk '$2 < 40 && $3 < 40' decisions"},
	{"manydecisions", "dupgroup --cut 0.8 manyscored"},
	{"names", "find tree -type f | sed 's,^,i/,' | sort"},
	{"sums", "find tree -type f | sort | xargs fuzzysum"},
	{"hashes", "sleep 2.1; doppel files --trust --cache hashes0 -r tree > /dev/null; cat hashes0; rm hashes0"}, // younger files are not remembered
	{"cache", "fuzzyseen -f cache0 < sums > /dev/null; cat cache0; rm cache0"},
}

func (w *world) derive() error {
	r, err := w.newRoom("inputs")
	if err != nil {
		return err
	}
	defer r.close(false)
	for _, d := range derived {
		o := r.sh("set -e; cd " + quoted(w.inputs) + "; " + d.script)
		if o.status != 0 || r.broken != nil {
			return fmt.Errorf("%s: status %d: %s", d.script, o.status, o.stderr)
		}
		if err := os.WriteFile(filepath.Join(w.inputs, d.name), []byte(o.stdout), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// compressAll returns data, compressed.
func compressAll[W io.WriteCloser](pack func(io.Writer) (W, error), data []byte) []byte {
	return compress(pack, func(z io.Writer) { z.Write(data) })
}

func mbox(r *rand.Rand, n int) []byte {
	var b bytes.Buffer
	for range n {
		b.WriteString("From a@example.org Mon Jan  1 00:00:00 2024\n")
		b.Write(bytes.ReplaceAll(message(r), []byte("\r\n"), []byte("\n")))
		b.WriteString("\n")
	}
	return b.Bytes()
}

// randomSums returns lines of sums that are far from one another.
func randomSums(r *rand.Rand, n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "%016x%016x\tm%d\n", r.Uint64(), r.Uint64(), i)
	}
	return b.Bytes()
}

// makeTree writes files, of which every tenth is a copy and every seventh has
// a passage of the one before it.
func makeTree(dir string, r *rand.Rand, n int) error {
	var last string
	for i := range n {
		text := sentence(r, 200+r.IntN(800))
		switch {
		case i%10 == 9:
			text = last
		case i%7 == 6:
			text += strings.Join(strings.Fields(last)[50:150], " ")
		}
		last = text
		name := filepath.Join(dir, fmt.Sprintf("d%d", i%4), fmt.Sprintf("f%03d", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
