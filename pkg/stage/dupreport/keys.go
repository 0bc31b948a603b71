package dupreport

import (
	"bytes"
	"cmp"

	"doppel/pkg/line"
	"doppel/pkg/stage/lines"
)

// A key is one that many records have, with an example.
type key struct {
	name    []byte
	records int64
	id      []byte
	example *text
}

// readKeys reads the keys that too many records have, if there is a list of them.
func (r *reading) readKeys() error {
	if r.opt.Shared == "" {
		return nil
	}
	most := best[key]{size: mostKeys, compare: func(a, b key) int {
		return cmp.Or(cmp.Compare(b.records, a.records), bytes.Compare(a.name, b.name))
	}}
	err := lines.Each(r.e, []string{r.opt.Shared}, func(text []byte) error {
		var c line.Common
		if err := c.Parse(text); err != nil {
			return err
		}
		if one := (key{name: c.Key, records: c.Records, id: c.Example}); most.takes(one) {
			one.name, one.id = bytes.Clone(one.name), bytes.Clone(one.id)
			most.add(one)
		}
		return nil
	})
	for i := range most.all {
		most.all[i].example = r.texts.want(most.all[i].id, false)
	}
	r.keys = most.all
	return err
}
