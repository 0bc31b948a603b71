package record

// presence says whether the records of a batch have a field in arrays.
type presence struct {
	found   bool    // also null
	lacking *Record // one whose array has no such element, or whose elements have no such member
	err     error   // without found, of lacking
}

// Presence finds files of which no record has a field that is in arrays: one record may lack
// it, but where all do, the path is wrong. The zero value has seen no file.
type Presence struct {
	name    string
	found   []bool // by slot
	lacking []error
}

// Note takes the batches in order, decoded. It returns the error of the file before, if the batch
// begins another one.
func (p *Presence) Note(b *Batch) (err error) {
	if b.name != p.name {
		err = p.End()
		p.name = b.name
	}
	for slot, h := range b.has {
		if slot == len(p.found) {
			p.found, p.lacking = append(p.found, false), append(p.lacking, nil)
		}
		p.found[slot] = p.found[slot] || h.found
		if p.lacking[slot] == nil {
			p.lacking[slot] = h.err
		}
	}
	return err
}

// End returns the error of the last file.
func (p *Presence) End() (err error) {
	for slot, found := range p.found {
		if !found && p.lacking[slot] != nil {
			err = p.lacking[slot]
			break
		}
	}
	p.found, p.lacking = p.found[:0], p.lacking[:0]
	return err
}
