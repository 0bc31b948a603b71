package pipeline

import (
	"fmt"
	"os"
)

// An identity is what tells that a file is still the one that was read.
type identity struct {
	name string
	info os.FileInfo
}

// identities returns those of the files among some data, which are to be there: else
// each stage would complain of one that is not.
func identities(data []word) (all []identity, err error) {
	for _, w := range data {
		if w.scratch != nil {
			continue
		}
		info, err := os.Stat(w.text)
		if p, ok := err.(*os.PathError); ok {
			p.Op = "open" // as a stage would have said
		}
		if err != nil {
			return nil, err
		}
		all = append(all, identity{w.text, info})
	}
	return all, nil
}

// unchanged returns an error if a file is another one, or has changed. A chain
// reads its data more than once, and decisions are good for what was read first.
func unchanged(all []identity) error {
	for _, before := range all {
		now, err := os.Stat(before.name)
		if err != nil {
			return err
		}
		if !os.SameFile(before.info, now) || now.Size() != before.info.Size() || !now.ModTime().Equal(before.info.ModTime()) {
			return fmt.Errorf("%s: changed while it was read", before.name)
		}
	}
	return nil
}
