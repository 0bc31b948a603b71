package pairs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/lsh"
	"doppel/pkg/tool"
)

// ReportHot tells the user what hot buckets left out. Nothing is lost in silence;
// the exit status stays.
func ReportHot(e *tool.Env, s lsh.Skipped) {
	if s.Pairs > 0 {
		e.Note("%s in %s left out; the largest has %d members", number(s.Pairs, "pair"), number(s.Buckets, "hot bucket"), s.Largest)
	}
}

// ReportSpilled tells a user who watches how much went to scratch files.
func ReportSpilled(e *tool.Env, bytes int64) {
	if bytes > 0 && e.Watching() {
		e.Note("%.1f MB spilled", float64(bytes)/1e6)
	}
}

// ReportCommon tells of the keys that more records than the bound have, and
// lists them in a file, if it has a name, the commonest first.
func ReportCommon(e *tool.Env, file string, bound int, keys []line.Common) error {
	slices.SortFunc(keys, func(a, b line.Common) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), bytes.Compare(a.Key, b.Key))
	})
	if len(keys) > 0 {
		e.Note("%s left out, found in more than %s; the commonest is in %d, such as %s",
			number(int64(len(keys)), "key"), number(int64(bound), "record"), keys[0].Records, keys[0].Example)
	}
	if file == "" {
		return nil
	}
	return list(e, file, keys)
}

func list(e *tool.Env, file string, keys []line.Common) error {
	w, err := e.Create(file)
	if err != nil {
		return err
	}
	var text []byte
	for _, k := range keys {
		text = k.Append(text[:0], line.Format{JSON: e.JSON})
		w.Write(text)
	}
	return nil // a failed write shows up when the output is closed
}

// number returns a number of things, as in "1 pair" and "2 pairs".
func number(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
