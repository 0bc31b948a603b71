package keepdrop

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// An annotator writes all records, with what the list says of them as further
// fields. A group is the records that lead to one that is kept, numbered from 1 in
// the order of their first ones.
type annotator struct {
	keeper  *keeper
	numbers map[uint32]int64 // of groups, by the number of the id that is kept
	sizes   map[uint32]int64 // in records of the list
	raw     []byte
}

// newAnnotator counts the records of the groups.
func newAnnotator(k *keeper) *annotator {
	a := &annotator{keeper: k, numbers: map[uint32]int64{}, sizes: map[uint32]int64{}}
	for n := range k.list.ids.Len() {
		if root, grouped := k.list.root(uint32(n)); grouped {
			a.sizes[root]++
		}
	}
	return a
}

// root returns the record that is kept for this one and others, and whether there
// are any.
func (l *list) root(n uint32) (root uint32, grouped bool) {
	for grouped = l.favoured.Has(int64(n)); l.drops.Has(int64(n)); grouped = true {
		kept, ok := l.favouriteOf(n)
		if !ok {
			break
		}
		n = kept
	}
	return n, grouped
}

func errAnnotated(name string) error {
	return wording.WithHint(fmt.Errorf("%s: --annotate adds fields to JSON lines alone", name), "reccat --to jsonl makes those")
}

// record writes a record with its fields.
func (a *annotator) record(rec *record.Record) error {
	k := a.keeper
	n, listed, drop := k.list.find(k.key(rec))
	if listed {
		if err := k.places.Note(n, rec); err != nil {
			return k.skip(err)
		}
	}
	if !k.sink.FromLines() {
		return errAnnotated(rec.Name)
	}
	raw, err := a.annotate(rec.Raw, n, listed)
	if err != nil {
		return k.skip(rec.At(err))
	}
	k.count(drop)
	rec.Raw = raw
	return k.sink.Keep(rec)
}

// fields are what is added to a record.
var fields = [...]string{"dup_group", "dup_size", "dup_of", "dup_score"}

// annotate returns an object with the fields added.
func (a *annotator) annotate(object []byte, n uint32, listed bool) ([]byte, error) {
	body, ok := bytes.CutSuffix(bytes.TrimRight(object, " \t\r"), []byte{'}'})
	if !ok {
		return nil, errors.New("no JSON object: --annotate adds fields to objects")
	}
	for _, name := range fields {
		if bytes.Contains(body, []byte(`"`+name+`"`)) {
			return nil, fmt.Errorf("the record has a %s already", name)
		}
	}
	a.raw = append(a.raw[:0], body...)
	if !bytes.HasSuffix(bytes.TrimRight(body, " \t\r"), []byte{'{'}) {
		a.raw = append(a.raw, ',')
	}
	return append(a.appendFields(a.raw, n, listed), '}'), nil
}

// appendFields appends the members of a record: null is what it has none of.
func (a *annotator) appendFields(dst []byte, n uint32, listed bool) []byte {
	root, grouped := uint32(0), false
	if listed {
		root, grouped = a.keeper.list.root(n)
	}
	if !grouped {
		return append(dst, `"dup_group":null,"dup_size":1,"dup_of":null,"dup_score":null`...)
	}
	if a.numbers[root] == 0 {
		a.numbers[root] = int64(len(a.numbers)) + 1
	}
	dst = strconv.AppendInt(append(dst, `"dup_group":`...), a.numbers[root], 10)
	dst = strconv.AppendInt(append(dst, `,"dup_size":`...), a.sizes[root], 10)
	dst = append(dst, `,"dup_of":`...)
	kept, dropped := a.keeper.list.favouriteOf(n)
	if !dropped {
		return append(dst, `null,"dup_score":null`...)
	}
	dst = appendRecordID(dst, a.keeper.list.id(kept))
	_, score := a.keeper.list.why.get(n)
	return appendNumber(append(dst, `,"dup_score":`...), score)
}

// appendRecordID appends an id, an ordinal as a number.
func appendRecordID(dst, id []byte) []byte {
	if n, ok := ids.Ordinal(id); ok {
		return strconv.AppendInt(dst, n, 10)
	}
	return cell.AppendJSON(dst, id)
}

// checkAnnotate refuses what cannot be annotated.
func (o *Options) checkAnnotate() error {
	switch {
	case !o.Annotate:
		return nil
	case o.Decisions == "":
		return tool.UsageError("--annotate needs --decisions")
	case o.Cut || o.Removed != "" || o.Whole:
		return tool.UsageError("--annotate removes nothing: it excludes --cut, --removed and --whole")
	case o.Records.Lines:
		return tool.UsageError("--annotate adds fields, and --lines has none")
	}
	return nil
}
