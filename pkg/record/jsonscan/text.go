package jsonscan

import (
	"cmp"
	"strings"

	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/jsonstr"
)

// partPaths holds the paths to the members of a part.
var partPaths = &Tree{slot: -1, kids: []*Tree{{step: fieldpath.Step{Key: "type"}, slot: 0}, {step: fieldpath.Step{Key: "text"}, slot: 1}}}

// AppendParts appends the texts of a list of parts, with LF between them. In chats, the content of a
// message is a string or a list of parts. Each part is an object with a string named type, and a part
// that is a text has a string named text. textless is the number of the other parts. If v is not a
// list of parts, ok is false.
func AppendParts(dst, v []byte) (_ []byte, textless int, ok bool) {
	list, part := Scanner{data: v}, Scanner{Spans: make([]Span, 2)}
	i := list.skipSpace(1)
	if v[i] == ']' {
		return dst, 0, false
	}
	for texts := 0; ; {
		end := list.skipValue(i, nil, 0)
		one := v[i:end]
		if one[0] != '{' || part.Scan(one, partPaths) != nil {
			return dst, 0, false
		}
		kind, text := part.Spans[0], part.Spans[1]
		if kind.End == 0 || one[kind.Start] != '"' {
			return dst, 0, false
		}
		if text.End > 0 && one[text.Start] == '"' {
			if texts++; texts > 1 {
				dst = append(dst, '\n')
			}
			dst = jsonstr.Unescape(dst, one[text.Start+1:text.End-1])
		} else {
			textless++
		}
		if i = list.skipSpace(end); v[i] == ']' {
			return dst, textless, true
		}
		i = list.skipSpace(i + 1)
	}
}

// KindOf returns the kind of a value that begins with c.
func KindOf(c byte) string {
	kinds := map[byte]string{'{': "an object", '[': "an array", 'n': "null", '"': "a string", 't': "a boolean", 'f': "a boolean"}
	return cmp.Or(kinds[c], "a number")
}

// keysDeep is the maximum depth of the field names that Keys lists.
const keysDeep = 3

// Keys returns the paths of the leaves of a valid JSON value, for error messages.
func Keys(value []byte) []string { return appendKeys(nil, "", value, keysDeep) }

// appendKeys appends the paths of the leaves of a valid JSON value to a slice. path is the path of
// the value itself. The last argument is the number of levels of objects to descend into. Only the
// first element of an array is examined. If that element is an array or null, the outer array
// counts as a leaf.
func appendKeys(paths []string, path string, value []byte, deep int) []string {
	s, known := Scanner{data: value}, len(paths)
	i := s.skipSpace(0)
	switch {
	case value[i] == '[':
		i = s.skipSpace(i + 1)
		if c := value[i]; c == '{' {
			paths = appendKeys(paths, path+"[]", value[i:s.skipValue(i, nil, 0)], deep)
		} else if c != ']' && c != '[' && c != 'n' {
			paths = append(paths, path+"[]")
		}
	case value[i] == '{' && deep > 0:
		if path != "" {
			path += "."
		}
		for i = s.skipSpace(i + 1); value[i] == '"'; {
			end := s.skipString(i)
			key := fieldpath.Escape(string(jsonstr.Unescape(nil, value[i+1:end-1])))
			begin := s.skipSpace(s.skipSpace(end) + 1)
			i = s.skipValue(begin, nil, 0)
			paths = appendKeys(paths, path+key, value[begin:i], deep-1)
			if i = s.skipSpace(s.skipSpace(i) + 1); i >= len(value) {
				break
			}
		}
		path = strings.TrimSuffix(path, ".")
	}
	if len(paths) == known && path != "" {
		paths = append(paths, path)
	}
	return paths
}
