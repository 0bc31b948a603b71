// Package sample reads the samples for train and measure.
package sample

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// A Sample is a text in a known language.
type Sample struct {
	Language, Source string
	Text             []byte
	Held             bool // left out by train -held; true for one sample in five
	ForCode          bool // trains the detection of code; true for all code and an eighth of the rest
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")

// Each reads lines from r and calls fn with the sample in every line.
func Each(r io.Reader, fn func(Sample)) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<24)
	for n := 1; sc.Scan(); n++ {
		col := bytes.SplitN(sc.Bytes(), []byte{'\t'}, 3)
		if len(col) < 3 {
			return fmt.Errorf("line %d: want three columns", n)
		}
		h := xxhash.Sum64(col[2])
		fn(Sample{
			Language: string(col[0]), Source: string(col[1]), Text: []byte(unescape.Replace(string(col[2]))),
			Held: h%5 == 0, ForCode: string(col[0]) == "code" || h/5%8 == 0,
		})
	}
	return sc.Err()
}
