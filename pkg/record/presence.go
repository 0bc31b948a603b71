package record

// A presence says whether any record of a batch has a field whose path leads into an array.
type presence struct {
	found   bool    // a record has the field, even if its value is null
	lacking *Record // a record whose array lacks the element, or whose elements lack the member
	err     error   // error to report if no record of the file has the field; nil if a record of the batch has it
}

// A Presence finds files in which all records lack a field whose path leads into an array. Records
// may lack such a field, but if all of them do, the path is wrong. The zero value is ready to use.
type Presence struct {
	name    string
	found   []bool // for each slot, whether a record has the field
	lacking []error
}

// Note adds a decoded batch. The caller must add the batches in order. If the batch begins
// another file, Note returns the error of the previous file.
func (p *Presence) Note(b *Batch) (err error) {
	if b.name != p.name {
		if !b.opt.Missing.accepts() { // otherwise, all records of one of several files may lack a field
			err = p.End()
		}
		p.name = b.name
	}
	if b.opt.Lacking {
		return err
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

// End returns the error of the last file, or nil.
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
