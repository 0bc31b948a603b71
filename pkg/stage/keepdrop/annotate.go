package keepdrop

import (
	"fmt"
	"strconv"

	"doppel/pkg/line"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/jsonscan"
)

// An annotator writes all records, and adds fields that describe the decision on each record. A
// group consists of a kept record and the records dropped in favour of it. Groups are numbered
// from 1 in the order of their first records.
type annotator struct {
	keeper  *keeper
	numbers map[uint32]int64 // group numbers, by id number of the kept record
	sizes   map[uint32]int64 // number of records in a group, by id number of the kept record
	objects *jsonscan.Extender
}

func newAnnotator(k *keeper) *annotator {
	return &annotator{
		keeper: k, numbers: map[uint32]int64{}, sizes: k.list.sizes(),
		objects: jsonscan.NewExtender(false, "dup_group", "dup_size", "dup_of", "dup_score"),
	}
}

func errAnnotated(name string) error {
	return msg.WithHint(fmt.Errorf("%s: --annotate applies only to JSON lines", name), "convert the input: {reccat} --to jsonl")
}

func (a *annotator) record(rec *record.Record) error {
	k := a.keeper
	n, listed, drop, err := k.lookUp(rec)
	if err != nil {
		return k.skip(err)
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

// annotate adds the fields that describe the decision to a record, which is a JSON object. A field
// without a value is null. If listed is true, the list contains the record's id, as number n.
func (a *annotator) annotate(object []byte, n uint32, listed bool) ([]byte, error) {
	l := a.keeper.list
	root, grouped := uint32(0), false
	if listed {
		root, grouped = l.root(n)
	}
	null := []byte("null")
	if !grouped {
		return a.objects.Extend(object, null, []byte("1"), null, null)
	}
	if a.numbers[root] == 0 {
		a.numbers[root] = int64(len(a.numbers)) + 1
	}
	var id, score []byte
	if kept, dropped := l.keptOf(n); dropped {
		id = l.id(kept)
		_, score = l.why.get(n)
	}
	return a.objects.Extend(object, strconv.AppendInt(nil, a.numbers[root], 10), strconv.AppendInt(nil, a.sizes[root], 10),
		line.AppendID(nil, id, true), line.AppendNumber(nil, score))
}
