package front

import (
	"bufio"
	"fmt"
	"math"

	"doppel/pkg/front/measure"
	"doppel/pkg/line"
	"doppel/pkg/wording"
)

// A report prints what was measured. Failures show at the flush.
type report struct {
	out    *bufio.Writer
	sample *sample
}

func (r report) shares(sets [][]uint64, pairs []measure.Pair, fate []int32, t float64) {
	const clear = 0.02
	fmt.Fprintf(r.out, "sample\t%d of %s\n", len(r.sample.All), wording.Number(r.sample.seen, "record"))
	r.share("recall", measure.Recall(pairs, fate, t), "pairs of similarity %.2f or more lost a record", t)
	r.share("recall", measure.Recall(pairs, fate, t+clear), "pairs of similarity %.2f or more lost a record", t+clear)
	r.share("precision", measure.Precision(sets, fate, t), "dropped records are similar to the one named, %.2f or more", t)
}

func (r report) share(name string, s measure.Share, what string, t float64) {
	fmt.Fprintf(r.out, "%s\t%.4f\t%d of %d "+what+"\n", name, cut(s.Value()), s.Part, s.Of, t)
}

// cut rounds a share down to the four decimals that are printed: 1.0000 means
// all. A part of up to a thousand million things that is no whole number of
// ten-thousandths misses the next one by more than what is added, which makes
// good the rounding of 0.57 times 10,000 to 5699.999….
func cut(v float64) float64 { return math.Floor(v*1e4+1e-9) / 1e4 }

func (r report) curve(bins []measure.Bin) {
	fmt.Fprintf(r.out, "similarity\tpairs\tmeasured\texpected\n")
	for _, b := range bins {
		measured, expected := "-", "-"
		if b.Found.Of > 0 {
			measured, expected = fmt.Sprintf("%.4f", b.Found.Value()), fmt.Sprintf("%.4f", b.Expected)
		}
		fmt.Fprintf(r.out, "%.2f-%.2f\t%d\t%s\t%s\n", b.Low, b.High, b.Found.Of, measured, expected)
	}
}

// closest prints pairs as the stream of scored pairs has them.
func (r report) closest(pairs []measure.Pair, t float64) {
	if len(pairs) == 0 {
		return
	}
	fmt.Fprintf(r.out, "\npairs closest to %.2f:\n", t)
	for _, p := range pairs {
		s := line.Score{Pair: line.Pair{A: r.sample.All[p.A].id, B: r.sample.All[p.B].id}, Score: cut(p.Similarity)}
		r.out.Write(s.Append(nil, line.Format{}))
	}
}
