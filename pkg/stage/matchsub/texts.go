package matchsub

import (
	"fmt"
	"io"

	"doppel/pkg/files"
	"doppel/pkg/line/dupid"
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A texts function returns the text that has the given name in a pair. It is safe for concurrent
// use.
type texts func(name []byte) ([]byte, error)

// readFiles returns a texts function that reads files. A file that the run replaces is an error.
func readFiles(e *tool.Env) texts {
	check := e.Written().CheckFile
	return func(name []byte) ([]byte, error) { return files.AppendChecked(nil, name, files.Follow, check) }
}

// The type records holds the texts of the records that pairs name, by id.
type records struct {
	ids   ids.Table
	texts [][]byte // texts by id number; nil if no record has the id
}

func (r *records) text(id []byte) ([]byte, error) {
	if n, ok := r.ids.Lookup(id); ok && r.texts[n] != nil {
		return r.texts[n], nil
	}
	return nil, fmt.Errorf("no record has the id %q", id)
}

// readRecords reads all pairs, queues them, and reads the texts of the records that they name.
func (p *pairs) readRecords(e *tool.Env, names []string) (*records, error) {
	r := new(records)
	var all []pair
	for {
		next, err := p.next()
		if err == io.EOF {
			p.queue = all
			break
		}
		if err != nil {
			return nil, err
		}
		if next.err == nil {
			r.ids.Intern(next.A)
			r.ids.Intern(next.B)
		}
		all = append(all, next)
	}
	rd, err := record.NewReader(e.Input(names), e.Records)
	if err != nil {
		return nil, err
	}
	r.texts = make([][]byte, r.ids.Len())
	stand := dupid.NewNumbered(r.ids.Len())
	return r, tool.EachRecord(e, rd, func(rec *record.Record) error {
		n, ok := r.ids.Lookup(rec.ID)
		if !ok {
			return nil
		}
		if err := stand.Note(n, rec); err != nil {
			return e.Skip(err)
		}
		r.texts[n] = append([]byte{}, rec.Text...)
		return nil
	})
}
