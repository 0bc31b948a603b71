package tui

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/stage/recfilter"
	"doppel/pkg/wording"
)

// drops are what rules drop of some records.
type drops struct {
	dropped int
	reasons map[string]int
}

// parse takes a decision.
func (j *drops) parse(text []byte) error {
	var d line.Decision
	if err := d.Parse(text); err != nil {
		return err
	}
	if d.Verdict == line.Drop {
		j.dropped++
		j.reasons[string(d.Rule)]++
	}
	return nil
}

// rows lists the reasons, the most frequent first.
func (j *drops) rows() (all []string) {
	var names []string
	for name := range j.reasons {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(j.reasons[b], j.reasons[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		all = append(all, fmt.Sprintf("%6d  %s", j.reasons[name], name))
	}
	return all
}

// judge has texts judged.
func judge(texts [][]byte) (drops, error) {
	var records []byte
	for _, text := range texts {
		records = append(cell.AppendJSON(append(records, `{"text":`...), text), '}', '\n')
	}
	return judged(nil, bytes.NewReader(records), nil)
}

// judged has records judged, those of files or of one that is given.
func judged(args []string, in *bytes.Reader, lines *lastLines) (drops, error) {
	j := drops{reasons: map[string]int{}}
	text, err := outputOf(recfilter.Command(), args, in, lines)
	if err != nil {
		return j, err
	}
	for one := range bytes.Lines(text) {
		if err := j.parse(bytes.TrimSuffix(one, []byte("\n"))); err != nil {
			return j, err
		}
	}
	return j, nil
}

// filter judges all records.
func (w *worker) filter(s Setup, lines *lastLines) (*Outcome, error) {
	j, err := judged(append([]string{"--field=" + s.Field, "--progress", "--"}, s.Files...), bytes.NewReader(nil), lines)
	if err != nil {
		return nil, err
	}
	return &Outcome{Told: wording.Number(j.dropped, "record") + " would be dropped", Rows: j.rows()}, nil
}
