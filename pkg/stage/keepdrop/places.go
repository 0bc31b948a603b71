package keepdrop

import (
	"doppel/pkg/places"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// sites are where the records stand that the list names, by number of the id: a
// list cannot say which of two records of one id it means. They cost 8 bytes an id
// of the list, whatever the size of the dataset.
type sites struct {
	files places.Files
	all   []places.Place
}

// newSites returns nil where ids are ordinals over the whole input.
func newSites(e *tool.Env, l *list) *sites {
	if l.ordinals || e.Records.ID == "" && !e.Records.WithFilename {
		return nil
	}
	return &sites{all: make([]places.Place, l.ids.Len())}
}

// note notes where the record of a listed id stands, or returns an error that
// names both places if there was one before.
func (p *sites) note(n uint32, rec *record.Record) error {
	if p == nil {
		return nil
	}
	if first := p.all[n]; first != 0 {
		return p.files.Clash(rec, first)
	}
	p.all[n] = p.files.Of(rec)
	return nil
}
