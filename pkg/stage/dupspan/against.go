package dupspan

import (
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/passage"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/passage/keyline"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// Records of --against whose keys were saved are not searched for runs again. Their
// texts are read, since bytes are compared, and the keys are held against the length
// of each, so that what is not of these records, or not all of it, is no silence: a
// text of n units has n-L+1 passages, each in one run.

// scanAgainst finds the runs of the records beside those of the saved keys.
func (o *Options) scanAgainst(e *tool.Env, d *data, s passage.Scheme) (*corpus.Finder, error) {
	want, err := d.readPassages(s)
	if err != nil {
		return nil, err
	}
	k := keys{options: o, e: e, data: d, wanted: &s, passages: make([]uint32, len(want))}
	if err = lines.Each(e, o.Against, k.take); err == nil && k.finder == nil {
		k.finder, err = o.newFinder(e, s)
	}
	if err == nil {
		err = d.checkPassages(k.passages, want)
	}
	if err == nil {
		k.finder.Precede(d.reference())
		err = k.finder.Scan(d.openOwn)
	}
	return k.finder, err
}

// readPassages reads the records of --against, and returns how many passages each has.
func (d *data) readPassages(s passage.Scheme) (passages []uint32, err error) {
	units := passage.NewUnits(s)
	err = d.pass(theirs, own).each(func(texts [][]byte) {
		for _, t := range texts {
			units.Set(t)
			passages = append(passages, uint32(max(0, units.Len()-s.Length+1)))
		}
	})
	if err == nil {
		err = d.err
	}
	return passages, err
}

// checkPassages refuses keys that are not those of the records.
func (d *data) checkPassages(got, want []uint32) error {
	for i := range want {
		if got[i] != want[i] {
			err := fmt.Errorf("the keys of %s are of %s, and it has %d", d.appendID(nil, i), wording.Number(int(got[i]), "passage"), want[i])
			return wording.WithHint(err, "give all keys that recsign -m passage -H and lshkeys make of the records of --against-records")
		}
	}
	return nil
}

// refuseKeys refuses files of --against that begin with a key, where records are
// wanted. What else is wrong with them shows when they are read.
func (o *Options) refuseKeys(e *tool.Env) error {
	for _, name := range o.Against {
		var k line.Key
		first, ok := lines.First(e, name)
		if !ok || k.Parse(first) != nil {
			continue
		}
		if _, _, err := keyline.ParseKey(k.Text); err == nil {
			return wording.WithHint(fmt.Errorf("%s has keys: what they are of is compared byte for byte", name), "name the records by --against-records")
		}
	}
	return nil
}
