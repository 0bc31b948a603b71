// Package schemes is what a line of signatures says of how they were made, for those who
// need not know the method itself.
package schemes

import (
	"fmt"
	"strings"
)

// Empty is the body of a text that has nothing to sign. It pairs with nothing.
const Empty = "-"

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
