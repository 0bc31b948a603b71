package dupreport

import (
	"bytes"
	"cmp"
	"slices"

	"doppel/pkg/best"
	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
	"doppel/pkg/ordinals"
	"doppel/pkg/stage/lines"
)

// fates are what the decisions say.
type fates struct {
	seed    uint64
	ids     ids.Table
	ordinal bool         // ids are ordinals, so that one with a range is of a part
	dropped ordinals.Set // whole records, by number of the id
	cut     ordinals.Set // parts
	groups  []family     // by number of the id of the kept record
	causes  map[string]*cause
	sample  best.List[drop]

	drops, parts, partBytes int64
	threshold               float64 // of the reasons; 0: they name none
	components              bool
}

// A family is what was dropped in favour of one record.
type family struct {
	dropped uint32
	least   uint32 // the number of the id of the one that is least like it
	score   float32
}

// A drop is a decision that is shown.
type drop struct {
	draw     uint64
	id, kept []byte // kept may be nil
	score    cell.Number
	reason   []byte
}

// A cause is a reason, how often it was given, and some of those times.
type cause struct {
	reason  string
	dropped int64
	sample  best.List[drop]
}

func byDraw(a, b drop) int { return cmp.Compare(a.draw, b.draw) }

func (f *fates) init(seed uint64) {
	f.seed = seed
	f.causes = map[string]*cause{}
	f.sample = best.List[drop]{Size: mostSample, Compare: byDraw}
}

// readDecisions reads the decisions.
func (r *session) readDecisions() error {
	err := lines.Each(r.e, []string{r.opt.Decisions}, r.fates.parse)
	if r.opt.Decide.Cut > 0 {
		r.fates.threshold = r.opt.Decide.Cut
	}
	return err
}

// parse takes the line of a decision.
func (f *fates) parse(text []byte) error {
	var d line.Decision
	if err := d.Parse(text); err != nil {
		return err
	}
	if d.Verdict != line.Drop {
		return nil
	}
	f.drops++
	f.because(&d)
	drawn(&f.sample, f.seed, f.drops, &d)
	number := f.intern(d.ID)
	f.mark(number, &d)
	if d.Kept != nil {
		f.join(number, f.intern(d.Kept), d.Score)
	}
	return f.ids.Full()
}

// mark notes that a record is dropped, or that a part of one is cut out.
func (f *fates) mark(number uint32, d *line.Decision) {
	if !f.ofPart(d) {
		f.dropped.Add(int64(number))
		return
	}
	f.cut.Add(int64(number))
	_, start, end, _ := ids.CutPart(d.ID)
	f.parts++
	f.partBytes += int64(end - start)
}

// intern returns the number of an id.
func (f *fates) intern(id []byte) uint32 {
	n := f.ids.Intern(id)
	for int(n) >= len(f.groups) {
		f.groups = append(f.groups, family{})
	}
	return n
}

// join counts a dropped record in the group of the kept one.
func (f *fates) join(dropped, kept uint32, score cell.Number) {
	s, known := score.Float()
	if !known {
		s = 2 // more than any: the pair was never compared
	}
	g := &f.groups[kept]
	if g.dropped++; g.dropped == 1 || float32(s) < g.score {
		g.least, g.score = dropped, float32(s)
	}
}

// because counts the reason of a decision.
func (f *fates) because(d *line.Decision) {
	reason := d.Rule
	_, least := d.Least.Float()
	f.components = f.components || least
	if b, ok := cell.ParseBound(d.Rule); ok && b.Name == "score" {
		f.threshold = b.Limit
	}
	c := f.causes[string(reason)]
	if c == nil {
		c = &cause{reason: string(reason), sample: best.List[drop]{Size: mostExamples, Compare: byDraw}}
		f.causes[c.reason] = c
	}
	c.dropped++
	if d.Kept == nil && len(f.causes) <= mostReasons {
		drawn(&c.sample, f.seed, f.drops, d)
	}
}

// drawn adds a decision, the nth, if it is drawn.
func drawn(b *best.List[drop], seed uint64, n int64, d *line.Decision) {
	one := drop{draw: best.Draw(seed, n), score: d.Score}
	if !b.Takes(one) {
		return
	}
	one.id, one.kept, one.reason = bytes.Clone(d.ID), bytes.Clone(d.Kept), bytes.Clone(d.Reason())
	if v, known := d.Score.Float(); known {
		one.score = cell.Float(v) // the text that it was read from does not last
	}
	b.Add(one)
}

// ofPart reports whether a decision is of a part of a record.
func (f *fates) ofPart(d *line.Decision) bool {
	b, _ := cell.ParseBound(d.Rule)
	_, _, _, ok := ids.CutPart(d.ID)
	return ok && (f.ordinal || b.Name == "passage" || b.Name == "words" || b.Name == "bridge")
}

// fate says what became of the record, or the part, of an id.
func (f *fates) fate(id []byte) string {
	n, ok := f.ids.Lookup(id)
	switch {
	case ok && f.dropped.Has(int64(n)):
		return "dropped"
	case ok && f.cut.Has(int64(n)):
		return "cut out"
	}
	return "kept"
}

// isDropped reports whether the record of an id is dropped whole.
func (f *fates) isDropped(id []byte) bool {
	n, ok := f.ids.Lookup(id)
	return ok && f.dropped.Has(int64(n))
}

// sorted returns the causes, the most frequent first.
func (f *fates) sorted() (all []*cause) {
	for _, c := range f.causes {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *cause) int {
		return cmp.Or(cmp.Compare(b.dropped, a.dropped), cmp.Compare(a.reason, b.reason))
	})
	return all[:min(len(all), mostReasons)]
}

// largest returns the numbers of the kept records of the largest groups.
func (f *fates) largest() []uint32 {
	b := best.List[uint32]{Size: mostGroups, Compare: f.bySize}
	for n := range f.groups {
		if kept := uint32(n); f.groups[n].dropped > 0 && b.Takes(kept) {
			b.Add(kept)
		}
	}
	return b.All
}

// bySize is the order of groups: the largest first, and of equal ones by their ids.
func (f *fates) bySize(a, b uint32) int {
	return cmp.Or(cmp.Compare(f.groups[b].dropped, f.groups[a].dropped),
		ids.Compare(f.ids.Append(nil, int(a)), f.ids.Append(nil, int(b))))
}
