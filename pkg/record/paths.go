package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"doppel/pkg/msg"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/jsonscan"
	"doppel/pkg/record/jsonstr"
)

// paths holds the tree of paths to the values wanted from a record, and the options for decoding
// them.
type paths struct {
	lines   bool
	whole   bool // the text is the whole raw record
	torn    bool // Options.Torn
	missing Missing
	valued  bool                    // the first field is the value of Options.Within or Options.Across
	check   func(line []byte) error // Use.Check, or nil
	copied  bool                    // the records are used, including those that Options.Skip excludes
	most    int64                   // maximum size of a record, in bytes
	root    *jsonscan.Tree
	fields  []string
	arrays  []bool // whether the path of each field leads into an array; nil if none does
	flagOf  func(path string) string
	idSlot  int // slot of the id; -1 if no id is wanted
	id      string
}

func newPaths(o *Options) (*paths, error) {
	p := &paths{lines: o.Lines || o.Names, whole: len(o.Fields) == 0 || o.Lines, torn: o.Torn, missing: o.Missing, valued: o.valued(), most: cmp.Or(o.MaxRecord, DefaultMax), root: jsonscan.NewTree(), flagOf: o.FlagOf, idSlot: -1, id: o.ID}
	if p.lines && o.ID != "" {
		return nil, fmt.Errorf("--id %s: records of --lines have no fields", o.ID)
	}
	if err := o.Dialect.check(p.lines); err != nil {
		return nil, err
	}
	if !p.whole {
		p.fields = o.Paths()
	}
	for slot, f := range p.fields {
		if err := p.root.Add(f, slot); err != nil {
			return nil, err
		}
		if fieldpath.IntoArray(f) {
			p.arrays = append(p.arrays, make([]bool, len(p.fields)-len(p.arrays))...)
			p.arrays[slot] = true
		}
	}
	if o.ID != "" {
		if fieldpath.IntoArray(o.ID) {
			return nil, fmt.Errorf("--id %s leads into an array: want a path to one value", o.ID)
		}
		if p.idSlot = slices.Index(p.fields, o.ID); p.idSlot >= 0 {
			return p, nil // the text is the id
		}
		p.idSlot = len(p.fields)
		return p, p.root.Add(o.ID, p.idSlot)
	}
	return p, nil
}

// newScanner returns a scanner with a slot for each path.
func (p *paths) newScanner() *jsonscan.Scanner {
	return jsonscan.NewScanner(len(p.fields)+1, p.arrays != nil)
}

// decodeJSON is like decode, for lines that must be JSON even if none of their fields is wanted.
//
// decode does not parse lines whose text is the whole line, so it would accept a line cut short by
// a crash or a full disk. decodeJSON therefore scans a line unless its first and last bytes are a
// matching pair of braces, brackets or quotes. It does not notice a line cut just after the closing
// brace of an inner object. Scanning every line would detect this, but would make recuniq a fifth
// slower:
//
//	recuniq big.jsonl    200 MB, 91,452 lines, processor time, median of 9
//	no check             0.138 s
//	first and last byte  0.141 s
//	every line scanned   0.167 s
func (p *paths) decodeJSON(b *Batch) {
	p.decode(b)
	scanned := (!p.whole || p.idSlot >= 0) && (!p.copied || b.opt.Skip == nil)
	if scanned && p.check == nil {
		return
	}
	for i := range b.Records {
		switch rec := &b.Records[i]; {
		case rec.Err != nil:
		case p.check != nil:
			rec.Err = p.check(rec.Raw)
		case !endsAsBegun(rec.Raw):
			if rec.Err = jsonscan.Check(rec.Raw); rec.Err != nil {
				rec.Err = msg.WithHint(rec.Err, "--lines accepts lines of any bytes")
			}
		}
	}
}

// decodeValues is like decodeJSON, for lines that a valuesReader wrote. Since it may have found wrong
// ends in a damaged file, decodeValues scans every line.
func (p *paths) decodeValues(b *Batch) {
	p.decodeJSON(b)
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Err == nil && p.check == nil {
			rec.Err = jsonscan.Check(rec.Raw)
		}
	}
}

// endsAsBegun reports whether a line begins with a bracket, brace or quote and ends with its
// counterpart.
func endsAsBegun(line []byte) bool {
	last := len(line) - 1
	if last > 0 && (line[0] <= ' ' || line[last] <= ' ') { // few lines: most begin and end with a brace
		line = bytes.TrimSpace(line)
		last = len(line) - 1
	}
	if last < 1 {
		return false
	}
	switch line[0] {
	case '{':
		return line[last] == '}'
	case '[':
		return line[last] == ']'
	case '"':
		return line[last] == '"'
	}
	return false
}

// decode fills in the texts and ids of a batch of lines.
func (p *paths) decode(b *Batch) {
	asIs := p.whole && p.idSlot < 0
	b.has = b.has[:0]
	if p.missing.accepts() || p.arrays != nil {
		b.has = append(b.has, make([]presence, len(p.fields))...)
	}
	// A line with a NUL is not JSON and probably not text, so the file is probably damaged.
	damaged := asIs && !p.lines && (bytes.IndexByte(b.data, 0) >= 0 || bytes.IndexByte(b.head, 0) >= 0)
	s := p.newScanner()
	for i := range b.Records {
		rec := &b.Records[i]
		if asIs {
			rec.Text = rec.Raw
			if damaged && rec.Err == nil && bytes.IndexByte(rec.Raw, 0) >= 0 {
				rec.Err = msg.WithHint(errors.New("the line contains a NUL"), "--lines accepts lines of any bytes")
			}
			continue
		}
		if rec.Err != nil || b.Skipped(rec) {
			continue
		}
		if rec.Err = s.Scan(rec.Raw, p.root); rec.Err == nil {
			rec.Err = p.setTextAndID(b, rec, s)
		}
	}
	for slot := range b.has {
		if h := &b.has[slot]; !h.found && h.lacking != nil {
			names := jsonscan.Keys(h.lacking.Raw)
			h.err = fmt.Errorf("%s: %w", b.name, fieldpath.NoRecord(p.fields[slot], p.flagOf(p.fields[slot]), names))
		}
	}
}

// setTextAndID sets the text and the id of a scanned record.
func (p *paths) setTextAndID(b *Batch, rec *Record, s *jsonscan.Scanner) (err error) {
	if p.idSlot >= 0 {
		if rec.ID, err = p.value(b, rec, s.Spans[p.idSlot], p.id); err != nil {
			return err
		}
	}
	if p.whole {
		rec.Text = rec.Raw
		return nil
	}
	if p.missing.accepts() {
		if value, text := p.lacks(b, rec, s); value || text {
			p.missing.SetMissing(rec, text)
			return rec.Err
		}
	}
	if len(p.fields) == 1 {
		rec.Text, err = p.field(b, rec, s, 0)
		return err
	}
	size := 0
	for _, sp := range s.Spans[:len(p.fields)] {
		size += sp.End - sp.Start
	}
	rec.Text = make([]byte, 0, size)
	for slot := range p.fields {
		v, err := p.field(b, rec, s, slot)
		if err != nil {
			return err
		}
		rec.AddField(v)
	}
	return nil
}

// lacks reports whether the value, or a field of the text, of a scanned record is missing or null.
// It also notes which fields the record has.
func (p *paths) lacks(b *Batch, rec *Record, s *jsonscan.Scanner) (value, text bool) {
	for slot := range p.fields {
		h, at, lacks := &b.has[slot], s.Spans[slot], &text
		if slot == 0 && p.valued {
			lacks = &value
		}
		switch {
		case at.End == 0:
			*lacks, rec.Lacks = true, true
			if h.lacking == nil {
				h.lacking = rec
			}
		case rec.Raw[at.Start] == 'n':
			*lacks, h.found = true, true
		case p.arrays == nil || !p.arrays[slot]:
			h.found = true
		}
	}
	return value, text
}

// field returns the value of a field. If its path leads into an array, field returns all values
// joined by LF.
func (p *paths) field(b *Batch, rec *Record, s *jsonscan.Scanner, slot int) ([]byte, error) {
	field, at := p.fields[slot], s.Spans[slot]
	if p.arrays == nil || !p.arrays[slot] || at.End == 0 {
		return p.value(b, rec, at, field)
	}
	if c := rec.Raw[at.Start]; c != '[' {
		return nil, fieldpath.NoWay(field, jsonscan.KindOf(c), jsonscan.KindOf('['))
	}
	start, values := len(b.arena), 0
	for _, e := range s.Elements[slot] {
		switch c := rec.Raw[e.Start]; {
		case e.Want != 0:
			return nil, fieldpath.NoWay(field, jsonscan.KindOf(c), jsonscan.KindOf(e.Want))
		case e.End == 0:
			rec.Absent++
			if h := &b.has[slot]; h.lacking == nil {
				h.lacking = rec
			}
			continue
		case c == 'n':
			rec.Absent++
			b.has[slot].found = true
			continue
		}
		b.has[slot].found = true
		if values++; values > 1 {
			b.arena = append(b.arena, '\n')
		}
		var err error
		if b.arena, err = appendText(b.arena, rec, rec.Raw[e.Start:e.End], field); err != nil {
			return nil, err
		}
	}
	return b.arena[start:len(b.arena):len(b.arena)], nil
}

// value returns the value at sp: a decoded string, or the literal of a number or a boolean.
func (p *paths) value(b *Batch, rec *Record, sp jsonscan.Span, field string) ([]byte, error) {
	raw := rec.Raw
	if sp.End == 0 {
		var names []string
		if bytes.TrimLeft(raw, " \t")[0] == '{' {
			names = jsonscan.Keys(raw)
		}
		return nil, p.noField(field, names)
	}
	v := raw[sp.Start:sp.End]
	if v[0] == '"' && bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1], nil
	}
	start := len(b.arena)
	var err error
	b.arena, err = appendText(b.arena, rec, v, field)
	return b.arena[start:len(b.arena):len(b.arena)], err
}

// appendText appends the text of a value, which must be a string, a number, a boolean or a list of
// parts.
func appendText(dst []byte, rec *Record, v []byte, field string) ([]byte, error) {
	switch v[0] {
	case '"':
		return jsonstr.Unescape(dst, v[1:len(v)-1]), nil
	case '[':
		if longer, textless, ok := jsonscan.AppendParts(dst, v); ok {
			rec.Absent += textless
			return longer, nil
		}
		fallthrough
	case '{', 'n':
		return dst, fieldpath.NoText(field, jsonscan.KindOf(v[0]), jsonscan.Keys(v))
	}
	return append(dst, v...), nil
}

// noField returns the error for a missing field, with a hint that lists the fields that exist and
// names the flag that selects a field.
func (p *paths) noField(field string, names []string) error {
	return fieldpath.NoField(field, p.flagOf(field), names)
}
