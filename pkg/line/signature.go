package line

import (
	"fmt"
	"strings"
)

// A Signature is what recsign writes of a record.
type Signature struct {
	ID     []byte
	Scheme []byte // one word that fixes every parameter, as in exact/xxh3-128/text/none
	Body   []byte // as the scheme has it; Empty for a text without content
}

// Empty is the body of a text that has nothing to sign. It pairs with nothing.
const Empty = none

func (s *Signature) columns(c *codec) {
	c.bytes("id", &s.ID)
	c.bytes("scheme", &s.Scheme)
	c.bytes("signature", &s.Body)
}

// Append appends the line of s to dst.
func (s Signature) Append(dst []byte, f Format) []byte {
	c := writer(dst, f)
	s.columns(&c)
	return c.w.End()
}

// Parse reads a line.
func (s *Signature) Parse(line []byte) error {
	c := reader(line)
	s.columns(&c)
	return end(&c, (*Signature).columns)
}

// Method returns the method of a scheme: what stands before the first slash.
func Method(scheme string) string {
	method, _, _ := strings.Cut(scheme, "/")
	return method
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
