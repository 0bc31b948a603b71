package record

import (
	"bytes"
	"errors"
	"fmt"

	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/jsonstr"
	"doppel/pkg/wording"
)

// paths is the tree of the wanted values of a record, and how to take them.
type paths struct {
	lines  bool
	whole  bool  // the text is the raw record
	torn   bool  // see Options
	copied bool  // records are for a sink, also those that are skipped
	most   int64 // bytes a record
	root   *node
	fields []string
	flag   string // what names the fields
	idSlot int    // -1: none
	id     string
}

// A node is a key on the way to a wanted value.
type node struct {
	key  string
	slot int // of the wanted value, -1 if this key is only on the way
	kids []*node
}

func newPaths(o *Options) (*paths, error) {
	p := &paths{lines: o.Lines || o.Names, whole: len(o.Fields) == 0 || o.Lines, torn: o.Torn, most: o.maxRecord(), root: &node{slot: -1}, flag: o.FieldFlag(), idSlot: -1, id: o.ID}
	if p.lines && o.ID != "" {
		return nil, fmt.Errorf("a line that is text has no field %q", o.ID)
	}
	if p.lines && o.CSV {
		return nil, errors.New("--lines and --csv exclude each other")
	}
	if !p.whole {
		p.fields = o.Fields
	}
	for slot, f := range p.fields {
		if err := p.root.add(f, slot); err != nil {
			return nil, err
		}
	}
	if o.ID != "" {
		p.idSlot = len(p.fields)
		return p, p.root.add(o.ID, p.idSlot)
	}
	return p, nil
}

// add makes the nodes of a path.
func (n *node) add(path string, slot int) error {
	for _, key := range fieldpath.Split(path) {
		kid := n.find([]byte(key))
		if kid == nil {
			kid = &node{key: key, slot: -1}
			n.kids = append(n.kids, kid)
		}
		n = kid
	}
	if n.slot >= 0 {
		return fmt.Errorf("field %q is named twice", path)
	}
	n.slot = slot
	return nil
}

func (n *node) find(key []byte) *node {
	for _, k := range n.kids {
		if k.key == string(key) {
			return k
		}
	}
	return nil
}

// forget clears the spans of this node and all below it.
func (n *node) forget(spans []span) {
	if n.slot >= 0 {
		spans[n.slot] = span{}
	}
	for _, k := range n.kids {
		k.forget(spans)
	}
}

// decodeJSON is decode for lines that are to be JSON even where nothing is taken
// out of them.
func (p *paths) decodeJSON(b *Batch) {
	p.decode(b)
	if p.whole && p.idSlot < 0 || p.copied && b.opt.Skip != nil {
		markTorn(b)
	}
}

// decode fills in the texts and ids of a batch of lines.
func (p *paths) decode(b *Batch) {
	if p.whole && p.idSlot < 0 {
		p.pass(b)
		return
	}
	s := scanner{spans: make([]span, len(p.fields)+1)}
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err != nil || b.Skipped(rec) {
			continue
		}
		if rec.Err = s.scan(rec.Raw, p.root); rec.Err == nil {
			rec.Err = p.take(b, rec, s.spans)
		}
	}
}

// pass takes lines as they are. One with a NUL is no JSON, and hardly text: part
// of a file that is damaged.
func (p *paths) pass(b *Batch) {
	clean := p.lines || bytes.IndexByte(b.data, 0) < 0
	for i := range b.Records {
		rec := &b.Records[i]
		rec.Text = rec.Raw
		if !clean && rec.Err == nil && bytes.IndexByte(rec.Raw, 0) >= 0 {
			rec.Err = wording.WithHint(errors.New("a line with a NUL"), "--lines takes lines of any bytes")
		}
	}
}

// take sets the text and the id of a scanned record.
func (p *paths) take(b *Batch, rec *Record, spans []span) (err error) {
	if p.idSlot >= 0 {
		if rec.ID, err = p.value(b, rec.Raw, spans[p.idSlot], p.id); err != nil {
			return err
		}
	}
	switch {
	case p.whole:
		rec.Text = rec.Raw
		return nil
	case len(p.fields) == 1:
		rec.Text, err = p.value(b, rec.Raw, spans[0], p.fields[0])
		return err
	}
	return p.join(b, rec, spans)
}

// join makes one text of several fields.
func (p *paths) join(b *Batch, rec *Record, spans []span) error {
	size := 0
	for _, sp := range spans[:len(p.fields)] {
		size += sp.end - sp.start
	}
	rec.Text = make([]byte, 0, size)
	for i, f := range p.fields {
		v, err := p.value(b, rec.Raw, spans[i], f)
		if err != nil {
			return err
		}
		rec.AddField(v)
	}
	return nil
}

// value returns the string at sp, or the text of a number or a boolean as JSON
// writes it.
func (p *paths) value(b *Batch, raw []byte, sp span, field string) ([]byte, error) {
	if sp.end == 0 {
		return nil, p.noField(field, keysOf(raw))
	}
	v := raw[sp.start:sp.end]
	if v[0] != '"' {
		if kind := noTexts[v[0]]; kind != "" {
			return nil, fieldpath.NoText(field, kind, keysOf(v))
		}
		return v, nil
	}
	if v = v[1 : len(v)-1]; !jsonstr.HasEscape(v) {
		return v, nil
	}
	start := len(b.arena)
	b.arena = jsonstr.Unescape(b.arena, v)
	return b.arena[start:len(b.arena):len(b.arena)], nil
}

// noTexts are the values that are no texts, by what they begin with.
var noTexts = map[byte]string{'{': "an object", '[': "an array", 'n': "null"}

// keysDeep is how deep keysOf looks.
const keysDeep = 3

// keysOf returns the paths of the members of an object that is valid JSON. An object
// inside, if it has members, stands for these.
func keysOf(object []byte) []string { return appendKeys(nil, "", object, keysDeep) }

func appendKeys(paths []string, before string, object []byte, deep int) []string {
	s := scanner{data: object}
	i := s.space(0)
	if object[i] != '{' {
		return paths
	}
	for i = s.space(i + 1); object[i] == '"'; {
		end := s.str(i)
		key := before + fieldpath.Escape(string(jsonstr.Unescape(nil, object[i+1:end-1])))
		begin := s.space(s.space(end) + 1)
		i = s.value(begin, nil, 0)
		known := len(paths)
		if deep > 1 {
			paths = appendKeys(paths, key+".", object[begin:i], deep-1)
		}
		if len(paths) == known {
			paths = append(paths, key)
		}
		if i = s.space(s.space(i) + 1); i >= len(object) {
			break
		}
	}
	return paths
}
