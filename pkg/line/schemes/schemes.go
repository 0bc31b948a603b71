// Package schemes reads and compares schemes. A scheme is the word in a signature's line that names
// the signature method and its parameters, such as exact/xxh3-128/text/none. The package does not
// depend on the packages that compute signatures.
package schemes

import (
	"fmt"
	"strings"
)

// Empty is the signature body of a text without content to sign. It never counts as similar to
// another body.
const Empty = "-"

// Method returns the method of a scheme: the part before the first slash.
func Method(scheme string) string {
	method, _, _ := strings.Cut(scheme, "/")
	return method
}

// A Guard accepts only one scheme. If Scheme is empty, it accepts the first scheme that Check
// sees.
type Guard struct {
	Scheme string
	name   string
	line   int64
}

// Check returns an error if scheme differs from the accepted one. The error names both schemes
// and the file and line of each. If both are in the same file, it names the file once. If line is
// 0, name is not the name of a file, and the error has no line number for it.
func (g *Guard) Check(scheme []byte, name string, line int64) error {
	if g.Scheme == string(scheme) {
		return nil
	}
	if g.Scheme == "" {
		g.Scheme, g.name, g.line = string(scheme), name, line
		return nil
	}
	first := place(g.name, g.line)
	if g.name == name && line > 0 {
		first = fmt.Sprintf("line %d", g.line)
	}
	return fmt.Errorf("%s: the scheme is %s, but %s has the scheme %s", place(name, line), scheme, first, g.Scheme)
}

// place returns name:line, or only the name if line is 0.
func place(name string, line int64) string {
	if line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, line)
}
