// Truth compares all records with each other and names the pairs that are
// alike, as corpus --truth does of those it makes: lines of two ids, the exact
// Jaccard similarity, and "exact" if the texts are equal to the byte, else
// "near". Shingles are those that doppel fuzzy has by default. Equal texts that
// have none, as empty ones, are pairs of similarity 0.
//
// Ids are the ordinals, for files have ids of any form or none; --numbered
// writes the records with these.
package main

import (
	"bufio"
	"bytes"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/jaccard"
	"doppel/pkg/line/cell"
	"doppel/pkg/measure"
	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

func main() { os.Exit(tool.Run(command(), tool.OS())) }

type options struct {
	flags.Common
	floor    float64
	numbered string
}

func command() *tool.Command {
	return &tool.Command{
		Name:    "truth",
		Summary: "find all pairs of similar records",
		Usage:   "[FILE...]",
		Options: &options{floor: 0.3},
	}
}

func (o *options) Flags(fs *pflag.FlagSet) {
	fs.Float64Var(&o.floor, "floor", o.floor, "name pairs of the similarity `J` or more")
	fs.StringVar(&o.numbered, "numbered", "", "write id and text of the records to `FILE` as JSON lines")
	o.Common.Flags(fs, flags.Jobs|flags.Output)
}

func (o *options) Check() error {
	if !(0 < o.floor && o.floor <= 1) {
		return tool.UsageError("--floor %v: want more than 0 and at most 1", o.floor)
	}
	return nil
}

func (o *options) Run(e *tool.Env, operands []string) error {
	texts, err := read(e, operands)
	if err != nil {
		return err
	}
	if o.numbered != "" {
		if err := number(e, texts, o.numbered); err != nil {
			return err
		}
	}
	sets := shingled(texts)
	pairs := append(measure.Pairs(sets, o.floor, e.Jobs), bare(texts, sets)...)
	return write(e.Out, texts, pairs)
}

func read(e *tool.Env, args []string) (texts [][]byte, err error) {
	rd, err := record.NewReader(e.Input(args), record.Options{Fields: []string{"text"}})
	if err != nil {
		return nil, err
	}
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		texts = append(texts, bytes.Clone(rec.Text))
		return nil
	})
	return texts, err
}

// number writes the records as corpus writes them.
func number(e *tool.Env, texts [][]byte, name string) error {
	out, err := e.Create(name)
	if err != nil {
		return err
	}
	var object []byte
	for i, t := range texts {
		object = strconv.AppendInt(append(object[:0], `{"id": "`...), int64(i), 10)
		object = cell.AppendJSON(append(object, `", "text": `...), t)
		out.Write(append(object, "}\n"...)) // a failure shows at the flush
	}
	return out.Flush()
}

// shingled returns the set of the shingles of each text.
func shingled(texts [][]byte) [][]uint64 {
	shingler := text.NewShingler(text.Default)
	all := make([][]uint64, len(texts))
	var set, tmp []uint64
	for i, t := range texts {
		set = shingler.Append(set[:0], t)
		set, tmp = jaccard.Set(set, tmp)
		all[i] = slices.Clone(set)
	}
	return all
}

// bare returns the pairs of equal texts that have no shingles.
func bare(texts [][]byte, sets [][]uint64) (pairs []measure.Pair) {
	first := map[string][]uint32{}
	for i, t := range texts {
		if len(sets[i]) > 0 {
			continue
		}
		for _, before := range first[string(t)] {
			pairs = append(pairs, measure.Pair{A: before, B: uint32(i)})
		}
		first[string(t)] = append(first[string(t)], uint32(i))
	}
	return pairs
}

// write writes the pairs with all digits, since a threshold may lie between
// two similarities that four would not tell apart.
func write(out *bufio.Writer, texts [][]byte, pairs []measure.Pair) error {
	var line []byte
	for _, p := range pairs {
		how := "near"
		if bytes.Equal(texts[p.A], texts[p.B]) {
			how = "exact"
		}
		line = append(strconv.AppendUint(line[:0], uint64(p.A), 10), '\t')
		line = append(strconv.AppendUint(line, uint64(p.B), 10), '\t')
		line = append(strconv.AppendFloat(line, p.Similarity, 'f', -1, 64), '\t')
		line = append(append(line, how...), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}
