package pages

import (
	"math/bits"

	pq "github.com/parquet-go/parquet-go"
)

// A leaf is a column that has values.
type leaf struct {
	column   *pq.Column
	rep, def int // the levels its values have at most
	kind     pq.Kind
	width    int // bytes of a plain value; 0 where they differ or are bits
}

// leavesOf returns the leaves of a file, in order.
func leavesOf(f *pq.File) (leaves []*leaf) {
	var walk func(c *pq.Column)
	walk = func(c *pq.Column) {
		if c.Leaf() {
			leaves = append(leaves, newLeaf(c))
			return
		}
		for _, child := range c.Columns() {
			walk(child)
		}
	}
	walk(f.Root())
	return leaves
}

func newLeaf(c *pq.Column) *leaf {
	l := &leaf{column: c, rep: c.MaxRepetitionLevel(), def: c.MaxDefinitionLevel(), kind: c.Type().Kind()}
	switch l.kind {
	case pq.Int32, pq.Float:
		l.width = 4
	case pq.Int64, pq.Double:
		l.width = 8
	case pq.Int96:
		l.width = 12
	case pq.FixedLenByteArray:
		l.width = c.Type().Length()
	}
	return l
}

// repeated reports whether a row may have several values, or none.
func (l *leaf) repeated() bool { return l.rep > 0 }

// sound reports whether values are of the kind of the column, and there where
// they must be; those of a damaged page may be neither.
func (l *leaf) sound(values []pq.Value) bool {
	for _, v := range values {
		if null := v.DefinitionLevel() < l.def; null != v.IsNull() || !null && v.Kind() != l.kind {
			return false
		}
	}
	return true
}

// levelBits returns how many bits a level takes that is at most max.
func levelBits(max int) int { return bits.Len(uint(max)) }
