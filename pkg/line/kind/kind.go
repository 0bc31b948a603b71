// Package kind tells the files that the tools write from one another, by one line, and collections from
// datasets. It does not depend on the types of lines, so that readers of records can use it.
package kind

import (
	"bytes"
	"regexp"
	"sync"
)

// A linePattern is a pattern of lines and the kind of the files that hold such lines.
type linePattern struct {
	pattern *regexp.Regexp
	kind    string
}

// forms returns the forms that Of knows. They are compiled when the first one is needed, because
// tools must start fast.
var forms = sync.OnceValue(func() (all []linePattern) {
	for _, f := range [][2]string{
		{`^[^\t]+\t(minhash|simhash|sample|exact|passage)/[^\t]+\t[^\t]+$`, "signatures"},
		{`^(keep|drop)\t[^\t]+\t[^\t]+\t(-|[0-9.]+)\t[^\t]+$`, "decisions"},
		{`^[0-9]+\t[0-9]+\t(keep|drop)\t[^\t]+\t(-|[0-9.]+)\t`, "groups"},
		{`^[^\t]+\t[^\t]+(\t[0-9]+){4}\t[^\t]*\t[0-9]+$`, "matches"},
		{`^[^\t]+\t[^\t]+\t[0-9]\.[0-9]{4}(\t|$)`, "scored pairs"},
		{`^[0-9a-f]{16}\.[0-9a-f]{16}(\.[^\t]*)?\t[^\t]+$`, "keys"},
		{`^[0-9a-f]{16,32}\t[0-9]+\t[^\t]+$`, "hashes of files"},
		{`^\{"id":.*,"scheme":"(minhash|simhash|sample|exact|passage)/`, "signatures"},
		{`^\{"verdict":"(keep|drop)",`, "decisions"},
		{`^\{"group":[0-9]+,"size":`, "groups"},
		{`^\{"a":.*,"b":.*,"score":`, "scored pairs"},
		{`^\{"key":"[^"]*","id":`, "keys"},
	} {
		all = append(all, linePattern{regexp.MustCompile(f[0]), f[1]})
	}
	return all
})

// Of returns the kind of a line that a tool writes, such as "signatures", or "" if the line has no
// form that Of knows. It is slow, for messages.
func Of(text []byte) string {
	text = bytes.TrimRight(text, "\r\n")
	for _, f := range forms() {
		if f.pattern.Match(text) {
			return f.kind
		}
	}
	return ""
}
