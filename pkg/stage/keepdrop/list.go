package keepdrop

import (
	"fmt"

	"doppel/pkg/ids"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// A list says which ids are dropped.
type list struct {
	ids     ids.Table
	inverse bool          // a keep list: what is not listed is dropped
	drops   record.Bitmap // by number; ids of decisions may also be kept
	met     record.Bitmap // by number
	why     map[uint32]why
}

// A why says why a record is dropped. Only an audit needs it.
type why struct {
	kept          uint32
	hasKept       bool
	score, reason string
}

// readList reads the one list that is given.
func readList(e *tool.Env, o *options) (*list, error) {
	given, name := 0, ""
	for _, n := range []string{o.keep, o.drop, o.decisions} {
		if n != "" {
			given++
			name = n
		}
	}
	if given != 1 {
		return nil, tool.UsageError("want one of --decisions, --keep and --drop")
	}
	if o.column < 1 {
		return nil, tool.UsageError("--column %d: want 1 or more", o.column)
	}
	l := &list{inverse: o.keep != ""}
	take := l.column(o.column)
	if o.decisions != "" {
		take = l.decision
		if o.removed != "" {
			l.why = map[uint32]why{}
		}
	}
	return l, l.read(e, name, take)
}

func (l *list) read(e *tool.Env, name string, take func([][]byte) error) error {
	rd, err := record.NewReader(e.Input([]string{name}), record.Options{Lines: true})
	if err != nil {
		return err
	}
	var columns [][]byte
	return tool.EachRecord(e, rd, func(rec *record.Record) error {
		columns = tsv.Split(columns[:0], rec.Raw)
		if err := take(columns); err != nil {
			return &record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: err}
		}
		return nil
	})
}

// column takes the id in the n-th column.
func (l *list) column(n int) func([][]byte) error {
	return func(columns [][]byte) error {
		if len(columns) < n {
			return fmt.Errorf("want %d columns, found %d", n, len(columns))
		}
		l.drops.Set(int64(l.ids.Intern(tsv.Unescape(columns[n-1]))))
		return nil
	}
}

// decision takes a line that dupgroup or recfilter wrote.
func (l *list) decision(columns [][]byte) error {
	if len(columns) < len(tsv.Decisions) {
		return fmt.Errorf("want the columns %s, found %d", tsv.Decisions, len(columns))
	}
	n := l.ids.Intern(tsv.Unescape(columns[1]))
	switch string(columns[0]) {
	case "keep":
		return nil
	case "drop":
		l.drops.Set(int64(n))
	default:
		return fmt.Errorf("verdict %q: want keep or drop", columns[0])
	}
	if l.why != nil {
		w := why{score: string(columns[3]), reason: string(tsv.Unescape(columns[4]))}
		if w.hasKept = string(columns[2]) != tsv.None; w.hasKept {
			w.kept = l.ids.Intern(tsv.Unescape(columns[2]))
		}
		l.why[n] = w
	}
	return nil
}

// find returns the number of an id, if it is listed, and whether its record is
// dropped.
func (l *list) find(id []byte) (n uint32, listed, drop bool) {
	n, listed = l.ids.Lookup(id)
	if !listed {
		return 0, false, l.inverse
	}
	l.met.Set(int64(n))
	return n, true, l.drops.Has(int64(n)) != l.inverse
}

// reportUnmet reports ids of the list that no record had: it is the list of
// another dataset.
func (l *list) reportUnmet(e *tool.Env) {
	if missing := l.ids.Len() - l.met.Len(); missing > 0 {
		for i := range l.ids.Len() {
			if !l.met.Has(int64(i)) {
				e.Warn(fmt.Errorf("%d ids of the list are not among the records, such as %q", missing, l.ids.Append(nil, i)))
				return
			}
		}
	}
}
