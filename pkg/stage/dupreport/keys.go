package dupreport

import (
	"bytes"
	"cmp"
	"slices"

	"doppel/pkg/best"
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

// keys are the commonest, of those with the same example one: records that are alike
// share many.
type keys struct{ best.List[key] }

func newKeys() *keys {
	return &keys{best.List[key]{Size: mostKeys, Compare: func(a, b key) int {
		return cmp.Or(cmp.Compare(b.records, a.records), bytes.Compare(a.name, b.name))
	}}}
}

// parse takes the line of a key.
func (k *keys) parse(text []byte) error {
	var c line.Common
	if err := c.Parse(text); err != nil {
		return err
	}
	one := key{name: c.Key, records: c.Records, id: c.Example}
	if !k.Takes(one) {
		return nil
	}
	had := slices.IndexFunc(k.All, func(other key) bool { return bytes.Equal(other.id, one.id) })
	if had >= 0 && k.Compare(k.All[had], one) <= 0 {
		return nil
	} else if had >= 0 {
		k.All = slices.Delete(k.All, had, had+1)
	}
	one.name, one.id = bytes.Clone(one.name), bytes.Clone(one.id)
	k.Add(one)
	return nil
}

// readKeys reads the keys that many records have, if there is a list of them.
func (r *session) readKeys() error {
	if r.opt.Shared == "" {
		return nil
	}
	most := newKeys()
	err := lines.Each(r.e, []string{r.opt.Shared}, most.parse)
	for i := range most.All {
		most.All[i].example = r.want(most.All[i].id)
	}
	r.keys = most.All
	return err
}
