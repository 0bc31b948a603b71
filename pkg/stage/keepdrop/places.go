package keepdrop

import (
	"fmt"

	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// places are where the records stand that the list names, by number of the id: a
// list cannot say which of two records of one id it means. They cost 24 bytes an id
// of the list, whatever the size of the dataset.
type places struct{ all []place }

type place struct {
	name string
	line int64 // 0: no record was met
}

// newPlaces returns nil where ids are ordinals over the whole input.
func newPlaces(e *tool.Env, l *list) *places {
	if l.ordinals || e.Records.ID == "" && !e.Records.WithFilename {
		return nil
	}
	return &places{make([]place, l.ids.Len())}
}

// note notes where the record of a listed id stands, or returns an error that
// names both places if there was one before.
func (p *places) note(n uint32, rec *record.Record) error {
	if p == nil {
		return nil
	}
	first := p.all[n]
	if first.line == 0 {
		p.all[n] = place{rec.Name, rec.Line}
		return nil
	}
	err := fmt.Errorf("id %q is that of %s:%d, too", rec.ID, first.name, first.line)
	return tool.WithHint(&record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: err},
		"ids that do not repeat are ordinals, or with -H file:ordinal")
}
