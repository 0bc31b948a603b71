package config

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readTOML reads a TOML file. The decoder refuses what is wrong in itself, such
// as a table that stands twice; the parser knows the lines.
func readTOML(data []byte) ([]Setting, *Error) {
	if err := toml.Unmarshal(data, &map[string]any{}); err != nil {
		return nil, tomlError(err)
	}
	w := tomlWalk{sections: map[string]bool{}}
	w.Reset(data)
	for w.NextExpression() {
		if err := w.expression(w.Expression()); err != nil {
			return nil, err
		}
	}
	return w.settings, nil
}

func tomlError(err error) *Error {
	e := &Error{Line: 1, Msg: strings.TrimPrefix(err.Error(), "toml: ")}
	var d *toml.DecodeError
	if errors.As(err, &d) {
		e.Line, _ = d.Position()
	}
	return e
}

type tomlWalk struct {
	unstable.Parser
	table    string // of the keys that follow
	sections map[string]bool
	settings []Setting
}

func (w *tomlWalk) expression(e *unstable.Node) *Error {
	key, line := w.key(e.Key())
	switch e.Kind {
	case unstable.Table:
		w.section(key, line)
		w.table = key + "."
		return nil
	case unstable.KeyValue:
		return w.value(w.table+key, line, e.Value())
	}
	return &Error{Line: line, Msg: "tables in lists are not read"}
}

// key returns the parts of a key with dots between them, and its line.
func (w *tomlWalk) key(it unstable.Iterator) (key string, line int) {
	var parts []string
	for it.Next() {
		parts = append(parts, string(it.Node().Data))
		line = w.Shape(it.Node().Raw).Start.Line
	}
	return strings.Join(parts, "."), line
}

// section adds a section and those around it, each once.
func (w *tomlWalk) section(key string, line int) {
	if key == "" || w.sections[key] {
		return
	}
	if n := strings.LastIndexByte(key, '.'); n > 0 {
		w.section(key[:n], line)
	}
	w.sections[key] = true
	w.settings = append(w.settings, Setting{Key: key, Section: true, Line: line})
}

func (w *tomlWalk) value(key string, line int, v *unstable.Node) *Error {
	if v.Kind == unstable.InlineTable {
		w.section(key, line)
		for it := v.Children(); it.Next(); {
			inner, _ := w.key(it.Node().Key())
			if err := w.value(key+"."+inner, line, it.Node().Value()); err != nil {
				return err
			}
		}
		return nil
	}
	if n := strings.LastIndexByte(key, '.'); n > 0 {
		w.section(key[:n], line)
	}
	s := Setting{Key: key, Values: []string{string(v.Data)}, Line: line}
	if v.Kind == unstable.Array {
		s.Values = nil
		for it := v.Children(); it.Next(); {
			s.Values = append(s.Values, string(it.Node().Data))
		}
	}
	w.settings = append(w.settings, s)
	return nil
}
