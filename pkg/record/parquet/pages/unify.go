package pages

import (
	"fmt"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The files of one dataset often differ although their rows fit into one file: a column is required
// in one file and optional in another, or it has only nulls in one file, so that its writer gave it
// the null type. The unified schema has an optional column with the type of the other file.

// A Widening converts rows of a file to the unified schema. A nil Widening leaves rows unchanged.
type Widening struct {
	leaves []widened // for each leaf of the unified schema
}

type widened struct {
	from int   // leaf of the file
	null bool  // the leaf of the file has the null type
	defs []int // for each definition level in the file, the level in the unified schema
}

// Unify returns a model for writing rows of all files, and how to convert the rows of each file. The
// model is the first file itself if its schema fits all files. The result is nil if a file has other
// columns or types; bad is then its index.
func Unify(files []*File) (model *File, rows []*Widening, bad int) {
	u := &unifier{root: nodeOf(files[0])}
	for i, f := range files[1:] {
		if !u.add(u.root, nodeOf(f)) {
			return nil, nil, i + 1
		}
	}
	if model = files[0]; u.changed {
		if model = u.model(files[0]); model == nil {
			return nil, nil, 1
		}
	}
	for _, f := range files {
		w, same := &Widening{}, true
		u.widen(w, u.root, nodeOf(f), nil)
		for i, l := range w.leaves {
			same = same && l.from == i
			for def, to := range l.defs {
				same = same && def == to
			}
		}
		if same && len(w.leaves) == len(f.leaves) {
			w = nil
		}
		rows = append(rows, w)
	}
	return model, rows, 0
}

// Same reports whether the rows of the file need no conversion.
func (w *Widening) Same() bool { return w == nil }

// Row appends a row of the file to dst, with the columns of the unified schema. w must not be nil.
func (w *Widening) Row(dst, row pq.Row) (pq.Row, error) {
	for i, l := range w.leaves {
		for _, v := range row {
			if v.Column() != l.from {
				continue
			}
			if l.null && !v.IsNull() {
				return dst, fmt.Errorf("a value in a column of the null type: %w", ErrDamaged)
			}
			dst = append(dst, v.Level(v.RepetitionLevel(), l.defs[v.DefinitionLevel()], i))
		}
	}
	return dst, nil
}

// A node is a column or a group of a schema.
type node struct {
	column   *pq.Column
	file     *File
	element  int // index in the schema of the file
	optional bool
	repeated bool
	null     bool // the type is null
	kids     []*node
}

func nodeOf(f *File) *node {
	element, leaf := 0, 0
	var walk func(c *pq.Column) *node
	walk = func(c *pq.Column) *node {
		n := &node{column: c, file: f, element: element, optional: c.Optional(), repeated: c.Repeated()}
		if element++; c.Leaf() {
			_, n.null = f.types[leaf].(*format.NullType)
			leaf++
		}
		for _, kid := range c.Columns() {
			n.kids = append(n.kids, walk(kid))
		}
		return n
	}
	return walk(f.Root())
}

type unifier struct {
	root    *node
	changed bool // the unified schema is not that of the first file
}

// add changes the node a so that it can hold the values of b. It returns false if that is impossible.
func (u *unifier) add(a, b *node) bool {
	if a.column.Name() != b.column.Name() && a != u.root || a.repeated != b.repeated {
		return false
	}
	u.changed = u.changed || b.optional && !a.optional
	a.optional = a.optional || b.optional
	switch {
	case b.null && !a.repeated:
		u.changed = u.changed || !a.optional
		a.optional = true
		return true
	case a.null && !a.repeated:
		u.changed = true
		*a = *b
		a.optional = true
		return true
	case a.column.Leaf() != b.column.Leaf() || len(a.kids) != len(b.kids):
		return false
	case a.column.Leaf() && a.column.Type().String() != b.column.Type().String():
		return false
	}
	if l, m := a.column.Type().LogicalType(), b.column.Type().LogicalType(); !a.column.Leaf() && (l == nil) != (m == nil) {
		return false
	}
	for i := range a.kids {
		if !u.add(a.kids[i], b.kids[i]) {
			return false
		}
	}
	return true
}

// model returns the model with the unified schema, and with the metadata of the first file except
// for the schema that Arrow reads. It is nil if parquet-go rejects the schema.
func (u *unifier) model(first *File) *File {
	meta := *first.Meta
	meta.Schema, meta.KeyValueMetadata, meta.ColumnOrders = nil, nil, nil
	var raw rawFooter
	for i, kv := range first.Meta.KeyValueMetadata {
		if kv.Key != arrowSchema {
			meta.KeyValueMetadata, raw.keyValues = append(meta.KeyValueMetadata, kv), append(raw.keyValues, first.raw.keyValues[i])
		}
	}
	group := format.RowGroup{}
	var walk func(n *node)
	walk = func(n *node) {
		e := n.file.Meta.Schema[n.element]
		kept := n.file.raw.schema[n.element]
		if n.optional && e.RepetitionType.V != format.Optional {
			e.RepetitionType, kept = thrift.New(format.Optional), nil
		}
		meta.Schema, raw.schema = append(meta.Schema, e), append(raw.schema, kept)
		if n.column.Leaf() && n != u.root {
			group.Columns = append(group.Columns, n.chunk())
		}
		for _, kid := range n.kids {
			walk(kid)
		}
	}
	walk(u.root)
	meta.RowGroups = []format.RowGroup{group}
	model := &File{file: first.file, Meta: &meta, raw: raw}
	lib, err := openLibrary(libraryMeta(&meta))
	if err != nil {
		return nil
	}
	model.lib, model.leaves = lib, leavesOf(lib)
	model.types = typesOf(model.leaves, meta.Schema)
	return model
}

// chunk describes the chunks of a column in a model: like the first one of its file, but empty.
func (n *node) chunk() format.ColumnChunk {
	e := n.file.Meta.Schema[n.element]
	m := format.ColumnMetaData{Type: e.Type.V, Encoding: []format.Encoding{format.Plain}, PathInSchema: n.column.Path()}
	if groups := n.file.Meta.RowGroups; len(groups) > 0 {
		of := &groups[0].Columns[n.column.Index()].MetaData
		m.Encoding, m.Codec = of.Encoding, of.Codec
	}
	return format.ColumnChunk{MetaData: m}
}

// widen appends the leaves below the node a of the unified schema, which holds the values of b. path
// has the pairs of nodes above them. A nil b means that the values are nulls of a leaf above.
func (u *unifier) widen(w *Widening, a, b *node, path [][2]*node) {
	if a != u.root {
		path = append(slices.Clip(path), [2]*node{a, b})
	}
	if a.column.Leaf() && a != u.root {
		w.leaves = append(w.leaves, widenedBy(path))
		return
	}
	for i, kid := range a.kids {
		var of *node
		if b != nil && !b.null {
			of = b.kids[i]
		}
		u.widen(w, kid, of, path)
	}
}

// widenedBy returns how the values of a leaf are converted. Each pair has a node of the unified
// schema and that of the file, from the top.
func widenedBy(path [][2]*node) (l widened) {
	to := 0 // definition level in the unified schema of a value for which all nodes so far are present
	for _, pair := range path {
		a, b := pair[0], pair[1]
		if b == nil {
			break
		}
		if l.null = b.null; b.column.Leaf() {
			l.from = b.column.Index()
		}
		if b.optional || b.repeated {
			l.defs = append(l.defs, to)
		}
		if a.optional || a.repeated {
			to++
		}
	}
	l.defs = append(l.defs, to)
	return l
}
