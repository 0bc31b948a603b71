package index

import (
	"doppel/pkg/collection"
	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// mostIDs is the number of ids that a remover holds, in about 100 MB.
const mostIDs = 2 << 20

// A remover removes the records whose ids it has collected from a collection. It holds a hash of 128
// bits of each id. When it holds mostIDs, it reads the collection once and begins again.
type remover struct {
	w       *collection.Writer
	ids     map[digest.Sum]bool // true for an id that a record has
	removed int64
	absent  int64 // number of ids that no record has
}

// removeIDs removes the records whose ids are in the first column of a list.
func removeIDs(e *tool.Env, w *collection.Writer, name string) error {
	opt := lineio.Options(e)
	opt.Ended = false // other programs write lists of ids, often without a last line end
	rd, err := record.NewReader(lineio.Input(e, []string{name}), opt)
	if err != nil {
		return err
	}
	r := &remover{w: w, ids: map[digest.Sum]bool{}}
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		id, err := line.Column(rec.Raw, 1)
		if err != nil {
			return lineio.At(rec, err)
		}
		return r.add(id)
	})
	if err == nil {
		err = r.mark()
	}
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		return err
	}
	e.Note("records removed: %d", r.removed)
	if r.absent > 0 {
		e.Note("%s: ids that the collection does not have: %d", name, r.absent)
	}
	return nil
}

func (r *remover) add(id []byte) error {
	if len(r.ids) == mostIDs {
		if err := r.mark(); err != nil {
			return err
		}
	}
	r.ids[digest.Hash{}.Sum(id)] = false
	return nil
}

// mark marks the records whose ids r holds as removed. Afterwards, r holds none.
func (r *remover) mark() error {
	has := func(id []byte) bool {
		sum := digest.Hash{}.Sum(id)
		_, ok := r.ids[sum]
		if ok {
			r.ids[sum] = true
		}
		return ok
	}
	n, err := r.w.Remove(func(id, own []byte) bool {
		whole := has(id)
		return own != nil && has(own) || whole
	})
	r.removed += n
	for _, found := range r.ids {
		if !found {
			r.absent++
		}
	}
	clear(r.ids)
	return err
}
