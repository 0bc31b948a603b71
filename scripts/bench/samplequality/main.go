// Samplequality measures what sampled fingerprints find and what they miss, on
// the files named, and prints the table that man/recsign.1 shows:
//
//	find /usr/local/go/src -type f -name '*.go' -size +3 | awk 'NR%3==0' | go run ./scripts/bench/samplequality
//	… | go run ./scripts/bench/samplequality -revisions DIR
//
// Pasted: a passage of one file is put into another one, at random; it is seen
// if both sets have a fingerprint of it.
// Unrelated: pairs of files taken at random that share a fingerprint, and how
// many of them have no window of bytes in common, which would be false reports.
// Revisions: DIR holds a directory a file, with its revisions 1, 2, …, as
// samplerevisions lays them out; the containment of each in the next and in the
// last is estimated: the error of the estimate, how many of those of at least a
// quarter it finds, and how many it finds that are not.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math/bits"
	"os"

	"doppel/pkg/sample"
)

var lengths = []int{100, 200, 500, 1000}

func main() {
	trials := flag.Int("trials", 2000, "measure each figure on `N` pairs")
	revisions := flag.String("revisions", "", "compare the revisions in `DIR`")
	flag.Parse()
	files, err := readListed()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("settings\tper kB\t100\t200\t500\t1000\tunrelated\tfalse\terror\tfound\twrong")
	for _, p := range settings() {
		m, err := newMeasurement(p, files)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\t%.2f", label(p), m.density())
		for _, n := range lengths {
			fmt.Printf("\t%.1f%%", 100*m.recall(n, *trials))
		}
		shared, wrong := m.unrelated(*trials)
		fmt.Printf("\t%d\t%d", shared, wrong)
		if *revisions != "" {
			r, err := m.revisions(*revisions)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("\t%.3f\t%d/%d\t%d", r.rmse(), r.found, r.quarter, r.wrong)
		}
		fmt.Println()
	}
}

func settings() (list []sample.Params) {
	for _, window := range []int{20, 50, 100} {
		for _, low := range []int{4, 6, 8} {
			p := sample.Default
			p.Window, p.Criterion = window, sample.LowBits(low)
			list = append(list, p)
		}
		for _, winnow := range []int{31, 51, 151} {
			p := sample.Default
			p.Window, p.Winnow = window, winnow
			list = append(list, p)
		}
	}
	return list
}

// label is p as the flags of recsign.
func label(p sample.Params) string {
	if p.Winnow > 0 {
		return fmt.Sprintf("-s %d --winnow %d", p.Window, p.Winnow)
	}
	return fmt.Sprintf("-s %d -c %d", p.Window, bits.OnesCount64(p.Criterion.Mask))
}

// readListed reads the files whose names are on standard input.
func readListed() (files [][]byte, err error) {
	names := bufio.NewScanner(os.Stdin)
	for names.Scan() {
		text, err := os.ReadFile(names.Text())
		if err != nil {
			return nil, err
		}
		if len(text) > 2*lengths[len(lengths)-1] {
			files = append(files, text)
		}
	}
	if len(files) < 2 {
		return nil, fmt.Errorf("%d files of the names on standard input are long enough", len(files))
	}
	return files, names.Err()
}
