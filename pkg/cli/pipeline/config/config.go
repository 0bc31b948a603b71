// Package config reads files that describe a pipeline, in YAML or TOML. Parse parses a file into a
// list of settings. A setting has a key (its path in the file, joined with dots), values, and a
// line number. The caller defines which keys are valid and what each key sets.
package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/msg"
)

// A File holds the settings of a file, in the order of their lines.
type File struct {
	Name     string
	Settings []Setting
}

// A Setting is a key and its values.
type Setting struct {
	Key     string   // path in the file, such as filters.quality.min_length
	Values  []string // a single value, the elements of a list, or nothing if the value is null
	Section bool     // the key names a mapping; the settings in the mapping follow
	Line    int      // from 1
}

// An Error is an error in a file, with the number of the line at fault.
type Error struct {
	Name string // file name
	Line int    // from 1
	Msg  string
	Hint string // a suggestion, or ""
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Msg) }

// Parse parses the contents of a file: as TOML if its name ends in .toml, otherwise as YAML, which
// includes JSON. A non-nil error is an *Error.
func Parse(name string, data []byte) (*File, error) {
	read := readYAML
	if filepath.Ext(name) == ".toml" {
		read = readTOML
	}
	settings, err := read(data)
	if err != nil {
		err.Name = name
		err.Msg, _, _ = strings.Cut(err.Msg, "\n")
		return nil, err
	}
	return &File{name, settings}, nil
}

// Keys maps each valid key of a file to a function that stores the key's values. For a section,
// the function is nil.
type Keys map[string]func(values []string) error

// Set passes the values of each setting to the function for its key. It stops with an *Error at an
// unknown key or at an invalid value. For an unknown key, the hint is the nearest valid key.
func (f *File) Set(keys Keys) error {
	for _, s := range f.Settings {
		set, known := keys[s.Key]
		switch {
		case !known:
			return f.unknown(s, keys)
		case (set == nil) != s.Section && (s.Section || len(s.Values) > 0):
			want := "a value"
			if set == nil {
				want = "keys below it"
			}
			return f.errorf(s, "%s: want %s", s.Key, want)
		case set == nil || len(s.Values) == 0:
		default:
			if err := set(s.Values); err != nil {
				return f.errorf(s, "%s: %v", s.Key, err)
			}
		}
	}
	return nil
}

// unknown returns the error for an unknown key, with the nearest valid key as the hint. The error
// names the first unknown part of the key.
func (f *File) unknown(s Setting, keys Keys) *Error {
	parts := strings.Split(s.Key, ".")
	name := parts[len(parts)-1]
	for i := range parts {
		if _, known := keys[strings.Join(parts[:i+1], ".")]; !known {
			name = parts[i]
			break
		}
	}
	e := f.errorf(s, "unknown key %q", name)
	all, last := slices.Sorted(maps.Keys(keys)), []string(nil)
	for _, k := range all {
		last = append(last, k[strings.LastIndexByte(k, '.')+1:])
	}
	if n := slices.Index(last, msg.Nearest(name, last)); n >= 0 {
		e.Hint = fmt.Sprintf("did you mean %s?", all[n])
	}
	return e
}

func (f *File) errorf(s Setting, format string, args ...any) *Error {
	return &Error{Name: f.Name, Line: s.Line, Msg: fmt.Sprintf(format, args...)}
}

// Find returns the setting of a key, and reports whether the file has the key. For a missing key,
// it returns a setting with Line 1.
func (f *File) Find(key string) (Setting, bool) {
	for _, s := range f.Settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{Line: 1}, false
}

// Within returns a copy of f with the named top-level sections moved into the given section.
func (f *File) Within(section string, which ...string) *File {
	moved := &File{Name: f.Name}
	for _, s := range f.Settings {
		if top, _, _ := strings.Cut(s.Key, "."); slices.Contains(which, top) {
			s.Key = section + "." + s.Key
		}
		moved.Settings = append(moved.Settings, s)
	}
	return moved
}
