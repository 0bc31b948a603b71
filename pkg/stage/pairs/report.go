package pairs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/lsh"
	"doppel/pkg/msg"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// ReportHot prints a note and a hint about --hot if pairs were left out because of hot buckets. The
// note shows the example, the id of a member of the largest bucket, unless it is nil. The note does
// not affect the exit status.
func ReportHot(e *tool.Env, s lsh.Skipped, example []byte) {
	if s.Pairs > 0 {
		such := ""
		if example != nil {
			such = fmt.Sprintf(", such as %s", example)
		}
		e.Note("%s in %s left out; the largest has %d members%s", msg.Number(s.Pairs, "pair"), msg.Number(s.Buckets, "hot bucket"), s.Largest, such)
		e.Note("hint: members of a hot bucket are paired with a few others, so some duplicates may be missed; --hot N pairs all members of buckets of up to N")
	}
}

// ReportSpilled prints the number of bytes in scratch files, if it is not 0 and progress is shown.
func ReportSpilled(e *tool.Env, bytes int64) {
	if bytes > 0 && e.Watching() {
		e.Note("%.1f MB spilled", float64(bytes)/1e6)
	}
}

// ReportCommon writes the keys to the named file, the most common keys first. If the name is "", it
// writes no file. If bound is not 0, each key was ignored because it is in more than bound records,
// and ReportCommon also prints a note about the ignored keys, if there are any.
func ReportCommon(e *tool.Env, file string, bound int, keys []line.Common) error {
	slices.SortFunc(keys, func(a, b line.Common) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), bytes.Compare(a.Key, b.Key))
	})
	if bound > 0 && len(keys) > 0 {
		e.Note("%s ignored, each in more than %s; the most frequent is in %d, for example in %s",
			msg.Number(int64(len(keys)), "key"), msg.Number(int64(bound), "record"), keys[0].Records, keys[0].Example)
	}
	if file == "" {
		return nil
	}
	w, err := e.Create(file)
	if err != nil {
		return err
	}
	var text []byte
	format := line.Format{JSON: lineio.FormatOf(e, file).JSON}
	for _, k := range keys {
		text = k.Append(text[:0], format)
		w.Write(text)
	}
	return nil // closing the output returns any write error
}
