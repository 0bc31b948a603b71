package config

import (
	"bytes"
	"errors"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// readYAML reads the documents of a YAML file. It rejects aliases, because with them a few bytes
// can expand to gigabytes.
func readYAML(data []byte) ([]Setting, *Error) {
	if line := tooDeep(data); line > 0 {
		return nil, &Error{Line: line, Msg: "lists and mappings are nested too deep"}
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		e := &Error{Line: 1, Msg: err.Error()}
		var y yaml.Error
		if errors.As(err, &y) {
			e.Msg = y.GetMessage()
			if t := y.GetToken(); t != nil {
				e.Line = t.Position.Line
			}
		}
		return nil, e
	}
	var settings []Setting
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		var err *Error
		if settings, err = appendMapping(settings, "", doc.Body); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// These constants limit the nesting of a file. The description of a pipeline needs only three
// levels. The YAML library needs 60 kB of memory for each enclosing bracket, and for each enclosing
// key on a line of its own.
const (
	mostBrackets = 100
	mostIndent   = 1000
)

// tooDeep returns the number of the first line in which the nesting exceeds a limit, or 0 if there
// is none. Lines are numbered from 1. Brackets in strings count as nesting, too, which matters only
// if many of them are unbalanced.
func tooDeep(data []byte) int {
	n, open := 0, 0
	for line := range bytes.Lines(data) {
		n++
		count := func(what string) int { return bytes.Count(line, []byte(what)) }
		open = max(0, open+count("[")+count("{")-count("]")-count("}"))
		nested := count(": ") + count("- ") + count("? ")
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		if open > mostBrackets || nested > mostIndent || indent > mostIndent {
			return n
		}
	}
	return 0
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil {
		return max(t.Position.Line, 1)
	}
	return 1
}

func appendMapping(dst []Setting, prefix string, node ast.Node) ([]Setting, *Error) {
	m, ok := node.(ast.MapNode)
	if !ok {
		if _, comment := node.(*ast.CommentGroupNode); comment {
			return dst, nil
		}
		return nil, &Error{Line: lineOf(node), Msg: "want keys with values"}
	}
	for it := m.MapRange(); it.Next(); {
		s := Setting{Key: prefix + it.Key().GetToken().Value, Line: lineOf(it.Key())}
		values := []ast.Node{it.Value()}
		switch v := it.Value().(type) {
		case ast.MapNode:
			s.Section = true
			var err *Error
			if dst, err = appendMapping(append(dst, s), s.Key+".", it.Value()); err != nil {
				return nil, err
			}
			continue
		case *ast.SequenceNode:
			values = v.Values
		}
		for _, v := range values {
			one, err := yamlScalar(v)
			if err != nil {
				return nil, err
			}
			s.Values = append(s.Values, one...)
		}
		dst = append(dst, s)
	}
	return dst, nil
}

func yamlScalar(node ast.Node) ([]string, *Error) {
	switch n := node.(type) {
	case *ast.NullNode:
		return nil, nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
	case *ast.LiteralNode:
		return []string{n.Value.Value}, nil
	case ast.ScalarNode:
		return []string{n.GetToken().Value}, nil
	}
	return nil, &Error{Line: lineOf(node), Msg: "want a value or a list of values; aliases are not supported"}
}
