package config

import (
	"errors"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// readYAML reads the one document of a YAML file. The tree is walked as it
// stands: an alias, by which a file of a few bytes can stand for gigabytes, is
// refused.
func readYAML(data []byte) ([]Setting, *Error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, yamlError(err)
	}
	var w yamlWalk
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if err := w.mapping("", doc.Body); err != nil {
			return nil, err
		}
	}
	return w.settings, nil
}

func yamlError(err error) *Error {
	e := &Error{Line: 1, Msg: err.Error()}
	var y yaml.Error
	if errors.As(err, &y) {
		e.Msg = y.GetMessage()
		if t := y.GetToken(); t != nil {
			e.Line = t.Position.Line
		}
	}
	return e
}

type yamlWalk struct{ settings []Setting }

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil {
		return max(t.Position.Line, 1)
	}
	return 1
}

// mapping adds the settings of a mapping.
func (w *yamlWalk) mapping(prefix string, node ast.Node) *Error {
	m, ok := node.(ast.MapNode)
	if !ok {
		if _, comment := node.(*ast.CommentGroupNode); comment {
			return nil
		}
		return &Error{Line: lineOf(node), Msg: "want keys with values"}
	}
	for it := m.MapRange(); it.Next(); {
		if err := w.entry(prefix+it.Key().GetToken().Value, it.Key(), it.Value()); err != nil {
			return err
		}
	}
	return nil
}

func (w *yamlWalk) entry(key string, at, value ast.Node) *Error {
	s := Setting{Key: key, Line: lineOf(at)}
	if _, section := value.(ast.MapNode); section {
		s.Section = true
		w.settings = append(w.settings, s)
		return w.mapping(key+".", value)
	}
	values, err := yamlValues(value)
	s.Values = values
	w.settings = append(w.settings, s)
	return err
}

// yamlValues returns one value, or those of a list.
func yamlValues(node ast.Node) ([]string, *Error) {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return yamlScalar(node)
	}
	var values []string
	for _, element := range list.Values {
		one, err := yamlScalar(element)
		if err != nil {
			return nil, err
		}
		values = append(values, one...)
	}
	return values, nil
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
	return nil, &Error{Line: lineOf(node), Msg: "want a value or a list of values; aliases are not read"}
}
