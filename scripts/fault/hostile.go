//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ulikunitz/xz"
)

// A bomb is data made to cost much. It is tried at a size and at twice that:
// what is linear takes twice as much, and what is quadratic four times.
type bomb struct {
	name   string
	args   string // reads i/x
	size   int
	make   func(n int) []byte
	square bool // by its nature what it writes, and its time, grow with the square; its memory must not
}

var bombs = []bomb{
	{name: "bands/fuzzy", args: "doppel fuzzy --stats none -o o/out i/x", size: 1500, make: halfShared},
	{name: "bands/lsh-only", args: "bash -c 'recsign i/x | lshpairs -t 0.3 > o/out'", size: 1500, make: halfShared},
	{name: "star/dupgroup", args: "dupgroup -o o/out i/x", size: 500_000, make: star},
	{name: "path/dupgroup", args: "dupgroup -o o/out i/x", size: 400_000, make: path},
	{name: "path/components", args: "dupgroup --policy components -o o/out i/x", size: 400_000, make: path},
	{name: "clique/dupgroup", args: "dupgroup -o o/out i/x", size: 300_000, make: clique},
	{name: "hotkey/keypairs", args: "keypairs -o o/out i/x", size: 200_000, make: hotKey},
	{name: "equal/fuzzy", args: "doppel fuzzy --stats none -o o/out i/x", size: 100_000, make: equals},
	{name: "equal/exact", args: "doppel exact --stats none -o o/out i/x", size: 100_000, make: equals},
	{name: "equal/simpairs", args: "bash -c 'recsign -m simhash i/x | simpairs --within 3 > o/out'", size: 3_000, make: equals},
	{name: "equal/sample", args: "bash -c 'recsign -m sample i/x | lshpairs > o/out'", size: 50_000, make: equals},
	{name: "equal/groups", args: "doppel groups -o o/out i/x", size: 100_000, make: equals},
	{name: "equal/passages", args: "doppel passages --stats none --length 50 -o o/out i/x", size: 50_000, make: equals},
	{name: "equal/report", args: "doppel fuzzy --stats none --report o/report -o o/out i/x", size: 50_000, make: equals},
	{name: "bands/groups", args: "doppel groups -o o/out i/x", size: 1500, make: halfShared},
	{name: "star/cut", args: "bash -c 'seq 0 1000000 > i/n; doppel cut --stats none --lines --scores i/x -o o/out i/n'", size: 400_000, make: star},
	{name: "star/report", args: "bash -c 'seq 0 400000 > i/n; dupreport --lines --records i/n --scores i/x -o o/out'", size: 100_000, make: star},
	{name: "run/passages", args: "doppel passages --stats none --lines -o o/out i/x", size: 2 << 20, make: run1},
	{name: "runs/passages", args: "doppel passages --stats none --lines -o o/out i/x", size: 100, make: runs},
	{name: "ab/passages", args: "doppel passages --stats none --lines -o o/out i/x", size: 2 << 20, make: repeated("ab")},
	{name: "words/passages", args: "doppel passages --stats none --length w20 --lines -o o/out i/x", size: 1 << 20, make: repeated("a ")},
	{name: "run/recsign", args: "recsign --lines -o o/out i/x", size: 10 << 20, make: run1},
	{name: "run/recsign-c5", args: "recsign --shingle c5 --lines -o o/out i/x", size: 4 << 20, make: run1},
	{name: "run/recsign-sample", args: "recsign -m sample --lines -o o/out i/x", size: 4 << 20, make: run1},
	{name: "run/recsign-winnow", args: "recsign -m sample --winnow 100 --lines -o o/out i/x", size: 4 << 20, make: run1},
	{name: "run/recfilter", args: "recfilter --preset default --lines -o o/out i/x", size: 4 << 20, make: run1},
	{name: "words/recfilter", args: "recfilter --preset gopher-repetition --lines -o o/out i/x", size: 1 << 20, make: repeated("a ")},
	{name: "run/fuzzysum", args: "fuzzysum i/x", size: 10 << 20, make: run1},
	{name: "run/matchsub", args: "bash -c 'cp i/x i/y; printf \"i/x\\ti/y\\n\" | matchsub -o o/out'", size: 100_000, make: run1},
	{name: "run/matchsub-all", args: "bash -c 'cp i/x i/y; printf \"i/x\\ti/y\\n\" | matchsub --all-matches > /dev/null'", size: 10_000, make: run1, square: true},
	{name: "ab/matchsub-all", args: "bash -c 'cp i/x i/y; printf \"i/x\\ti/y\\n\" | matchsub --all-matches > /dev/null'", size: 6_000, make: repeated("ab"), square: true},
	{name: "ab/matchsub", args: "bash -c 'cp i/x i/y; printf \"i/x\\ti/y\\n\" | matchsub -o o/out'", size: 100_000, make: repeated("ab")},
	{name: "ab/matchsub-show", args: "bash -c 'cp i/x i/y; printf \"i/x\\ti/y\\n\" | matchsub --show -o o/out'", size: 100_000, make: repeated("ab\n")},
	{name: "deep-array/recsign", args: "recsign -o o/out i/x", size: 1 << 20, make: deep("[", "]")},
	{name: "deep-object/recsign", args: "recsign -o o/out i/x", size: 1 << 20, make: deep(`{"a":`, "}")},
	{name: "deep-array/inspect", args: "doppel inspect i/x", size: 1 << 20, make: deep("[", "]")},
	{name: "deep-object/parquet", args: "reccat --to parquet -o o/out i/x", size: 2000, make: deep(`{"a":`, "}")},
	{name: "deep-open/recsign", args: "recsign -o o/out i/x", size: 4 << 20, make: repeated("[")},
	{name: "keys/recsign", args: "recsign -o o/out i/x", size: 200_000, make: manyFields},
	{name: "keys/parquet", args: "reccat --to parquet -o o/out i/x", size: 500, make: manyFields},
	{name: "keys/inspect", args: "doppel inspect i/x", size: 200_000, make: manyFields},
	{name: "escapes/recsign", args: "recsign -o o/out i/x", size: 4 << 20, make: escapes},
	{name: "nuls/inspect", args: "doppel inspect i/x", size: 20 << 20, make: repeated("\x00")},
	{name: "line/recsign", args: "recsign --lines -o o/out i/x", size: 10 << 20, make: repeated("word ")},
	{name: "line/count", args: "doppel count i/x", size: 50 << 20, make: run1},
	{name: "line/recuniq", args: "recuniq --lines -o o/out i/x", size: 50 << 20, make: run1},
	{name: "combining/recsign", args: "recsign --normalize aggressive --lines -o o/out i/x", size: 200_000, make: repeated("\u0301\u0323")},
	{name: "combining/simhash", args: "recsign -m simhash --unicode NFC --lines -o o/out i/x", size: 200_000, make: repeated("\u0301\u0323")},
	{name: "gz/count", args: "doppel count i/x", size: 64 << 20, make: packedBomb(asGzip)},
	{name: "gz/recsign", args: "recsign -o o/out i/x", size: 64 << 20, make: packedBomb(asGzip)},
	{name: "gz/inspect", args: "doppel inspect i/x", size: 64 << 20, make: packedBomb(asGzip)},
	{name: "gz/recuniq", args: "recuniq -o o/out i/x", size: 64 << 20, make: packedBomb(asGzip)},
	{name: "zst/count", args: "doppel count i/x", size: 64 << 20, make: packedBomb(asZstd)},
	{name: "zst/recuniq", args: "recuniq -o o/out i/x", size: 64 << 20, make: packedBomb(asZstd)},
	{name: "xz/count", args: "doppel count i/x", size: 8 << 20, make: packedBomb(xz.NewWriter)},
	{name: "csv/quote", args: "bash -c 'mv i/x i/x.csv; doppel count i/x.csv'", size: 32 << 20, make: after("text\n\"", "a")},
	{name: "csv/quotes", args: "bash -c 'mv i/x i/x.csv; recuniq --field text -o o/out i/x.csv'", size: 8 << 20, make: after("text\n\"", "\"\"")},
	{name: "csv/columns", args: "bash -c 'mv i/x i/x.csv; recuniq -o o/out i/x.csv'", size: 500_000, make: manyColumns},
	{name: "gz-nested/count", args: "doppel count i/x", size: 1 << 20, make: func(n int) []byte { return compressAll(asGzip, compressAll(asGzip, make([]byte, n))) }},
	{name: "mime/quoted", args: "fuzzysum --mime i/x", size: 400_000, make: quotedPrintable("=")},
	{name: "mime/quoted-digit", args: "fuzzysum --mime i/x", size: 400_000, make: quotedPrintable("=4")},
	{name: "mime/quoted-space", args: "fuzzysum --mime i/x", size: 400_000, make: quotedPrintable("= ")},
	{name: "mime/nested", args: "fuzzysum --mime i/x", size: 20_000, make: nestedParts},
	{name: "mime/parts", args: "fuzzysum --mime --attachments hash i/x", size: 50_000, make: manyParts},
	{name: "mime/headers", args: "fuzzysum --mime i/x", size: 200_000, make: folded},
	{name: "mime/words", args: "fuzzysum --mime i/x", size: 100_000, make: encodedWords},
	{name: "mime/html", args: "fuzzysum --mime i/x", size: 1 << 20, make: openTags},
	{name: "mime/entities", args: "fuzzysum --mime i/x", size: 1 << 20, make: entities},
	{name: "mbox/froms", args: "fuzzysum --mbox i/x", size: 100_000, make: repeated("From \n")},
	{name: "yaml/aliases", args: "doppel pipeline -c i/x i/few.jsonl", size: 7, make: aliases},
	{name: "yaml/deep", args: "doppel pipeline -c i/x i/few.jsonl", size: 50_000, make: repeated("[")},
	{name: "yaml/maps", args: "doppel pipeline -c i/x i/few.jsonl", size: 20_000, make: repeated("{a: ")},
	{name: "toml/deep", args: "bash -c 'mv i/x i/x.toml; doppel pipeline -c i/x.toml i/few.jsonl'", size: 50_000, make: after("a = ", "[")},
	{name: "toml/dots", args: "bash -c 'mv i/x i/x.toml; doppel pipeline -c i/x.toml i/few.jsonl'", size: 50_000, make: after("a", ".a")},
}

func hostileTrials() (trials []trial) {
	for _, b := range bombs {
		trials = append(trials, trial{"hostile/cost/" + b.name, b.try})
	}
	return append(trials, escapeTrials()...)
}

// A cost is what a run took.
type cost struct {
	bytes, peak int
	cpu         time.Duration
	status      int
}

// try measures a bomb, and once more before it says that something grows: the time of
// the system, which gives memory, is not the tool's alone.
func (b bomb) try(r *room) error {
	cells, err := b.measure(r)
	if err != nil && cells != nil {
		cells, err = b.measure(r)
	}
	if cells != nil {
		r.note("hostile", cells...)
	}
	return err
}

// measure returns a row of the table, and an error if something grows in it.
func (b bomb) measure(r *room) ([]string, error) {
	one, err := b.at(r, b.size)
	if err != nil {
		return nil, err
	}
	two, err := b.at(r, 2*b.size)
	if err != nil {
		return nil, err
	}
	verdict, err := compare(one, two, b.square)
	return []string{b.name, fmt.Sprint(one.bytes), seconds(one.cpu), seconds(two.cpu), fmt.Sprint(one.peak), fmt.Sprint(two.peak), verdict}, err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }

func (b bomb) at(r *room, size int) (cost, error) {
	data := b.make(size)
	if err := errors.Join(r.bring("few.jsonl"), r.write("i/x", data)); err != nil {
		return cost{}, err
	}
	o := r.measured(command{args: shellWords(b.args), most: 2 << 10})
	if o.hung || o.bloated {
		r.note("hostile", b.name, fmt.Sprint(len(data)), seconds(o.cpu), "", fmt.Sprint(o.peak), "", "unbounded")
		return cost{}, fmt.Errorf("at %d bytes: unbounded", len(data))
	}
	return cost{max(len(data), size), o.peak, o.cpu, o.status}, nil
}

// shellWords splits at spaces, but for what stands between single quotes.
func shellWords(args string) []string {
	before, script, found := strings.Cut(args, "'")
	if !found {
		return strings.Fields(args)
	}
	return append(strings.Fields(before), strings.TrimSuffix(script, "'"))
}

// What is little is not compared: below it the start of a process is measured.
const (
	littleTime   = time.Second
	littleMemory = 200 // MiB
)

// compare tells whether twice the data took at most three times as much.
func compare(one, two cost, square bool) (verdict string, err error) {
	times := time.Duration(3)
	if square {
		times = 5
	}
	switch {
	case two.cpu > littleTime && two.cpu > times*max(one.cpu, littleTime/8):
		return "time grows faster", fmt.Errorf("time grows faster than the data: %v and %v for twice as much", one.cpu, two.cpu)
	case two.peak > littleMemory && two.peak > 3*max(one.peak, littleMemory/4):
		return "memory grows faster", fmt.Errorf("memory grows faster than the data: %d and %d MiB for twice as much", one.peak, two.peak)
	case two.peak > 1<<10 && two.peak > 6*(two.bytes>>20):
		return "memory is many times the data", fmt.Errorf("%d MiB for %d MiB of data", two.peak, two.bytes>>20)
	case one.status == 2 && two.status == 2:
		return "refused", nil
	}
	return "linear", nil
}
