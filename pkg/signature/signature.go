// Package signature parses the lines that recsign writes, and guards against
// signatures that must not be compared.
package signature

import (
	"fmt"

	"doppel/pkg/tsv"
)

// A Line is one signature. Its slices are parts of the line.
type Line struct {
	ID     []byte // still escaped
	Scheme []byte // one word that fixes every parameter
	Body   []byte // as the scheme has it; Empty for a text without content
}

// Empty is the body of a text that has nothing to sign. It pairs with nothing.
const Empty = tsv.None

// Parse splits a line.
func Parse(line []byte) (l Line, err error) {
	var columns [4][]byte
	got, err := tsv.Signatures.Columns(columns[:0], line)
	if err != nil {
		return l, err
	}
	return Line{ID: got[0], Scheme: got[1], Body: got[2]}, nil
}

// A Guard lets only one scheme through. The zero value takes the first that
// it sees.
type Guard struct {
	Scheme string
	where  string
}

// Check returns an error that names both schemes, and where each first stood,
// if the scheme differs from the first one.
func (g *Guard) Check(scheme []byte, name string, line int64) error {
	if g.Scheme == string(scheme) {
		return nil
	}
	where := fmt.Sprintf("%s:%d", name, line)
	if g.Scheme == "" {
		g.Scheme, g.where = string(scheme), where
		return nil
	}
	return fmt.Errorf("two schemes: %s at %s, but %s at %s", g.Scheme, g.where, scheme, where)
}
