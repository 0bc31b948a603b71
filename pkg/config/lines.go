package config

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/pelletier/go-toml/v2/unstable"
)

// line walks down the mappings.
func (yamlSyntax) line(data []byte, path []string) int {
	file, err := parser.ParseBytes(data, 0)
	if err != nil || len(file.Docs) == 0 {
		return 0
	}
	node, line := ast.Node(file.Docs[0].Body), 0
	for _, key := range path {
		m, ok := node.(ast.MapNode)
		if !ok {
			return 0
		}
		found := false
		for it := m.MapRange(); it.Next() && !found; {
			if it.Key().GetToken().Value == key {
				node, line, found = it.Value(), it.Key().GetToken().Position.Line, true
			}
		}
		if !found {
			return 0
		}
	}
	return line
}

// line goes through tables and keys in the order of the file.
func (tomlSyntax) line(data []byte, path []string) int {
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		var keys []string
		line := 0
		for it := e.Key(); it.Next(); {
			keys = append(keys, string(it.Node().Data))
			line = p.Shape(it.Node().Raw).Start.Line
		}
		if e.Kind == unstable.Table {
			table = keys
		} else {
			keys = append(slices.Clip(table), keys...)
		}
		if slices.Equal(keys, path) {
			return line
		}
	}
	return 0
}
