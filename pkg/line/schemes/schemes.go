// Package schemes handles the schemes in lines of signatures, for code that does not need the
// method itself.
package schemes

import (
	"fmt"
	"strings"
)

// Empty is the body of a text without content to sign. It pairs with no other body.
const Empty = "-"

// Method returns the method of a scheme: the part before the first slash.
func Method(scheme string) string {
	method, _, _ := strings.Cut(scheme, "/")
	return method
}

// A Guard accepts only one scheme: Scheme, or the first one checked if that is empty.
type Guard struct {
	Scheme string
	where  string
}

// Check returns an error if the scheme differs from the first one. The error names both schemes
// and where each first appeared.
func (g *Guard) Check(scheme []byte, name string, line int64) error {
	if g.Scheme == string(scheme) {
		return nil
	}
	where := fmt.Sprintf("%s:%d", name, line)
	if g.Scheme == "" {
		g.Scheme, g.where = string(scheme), where
		return nil
	}
	return fmt.Errorf("different schemes: %s at %s, but %s at %s", g.Scheme, g.where, scheme, where)
}
