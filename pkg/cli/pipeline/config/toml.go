package config

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readTOML reads a TOML file twice. The decoder rejects invalid files, for example a file that
// defines a table twice. The parser, which accepts such files, supplies the line numbers.
func readTOML(data []byte) ([]Setting, *Error) {
	if err := toml.Unmarshal(data, &map[string]any{}); err != nil {
		e := &Error{Line: 1, Msg: strings.TrimPrefix(err.Error(), "toml: ")}
		if d, ok := errors.AsType[*toml.DecodeError](err); ok {
			e.Line, _ = d.Position()
		}
		return nil, e
	}
	w := tomlWalk{sections: map[string]bool{}}
	w.Reset(data)
	for table := ""; w.NextExpression(); { // table is the prefix of the keys that follow
		e := w.Expression()
		key, line := w.key(e.Key())
		switch e.Kind {
		case unstable.Table:
			w.section(key, line)
			table = key + "."
		case unstable.KeyValue:
			if err := w.value(table+key, line, e.Value()); err != nil {
				return nil, err
			}
		default:
			return nil, &Error{Line: line, Msg: "tables in lists are not supported"}
		}
	}
	return w.settings, nil
}

type tomlWalk struct {
	unstable.Parser
	sections map[string]bool
	settings []Setting
}

// key returns the parts of a key joined by dots, and the line of the key.
func (w *tomlWalk) key(it unstable.Iterator) (key string, line int) {
	var parts []string
	for it.Next() {
		parts = append(parts, string(it.Node().Data))
		line = w.Shape(it.Node().Raw).Start.Line
	}
	return strings.Join(parts, "."), line
}

// section adds a section and its parent sections, unless they were added before.
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
