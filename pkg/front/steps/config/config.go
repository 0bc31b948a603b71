// Package config reads files that describe a pipeline, in YAML or TOML, as
// settings: each a key with the dots of its path, its values, and its line. It
// knows what a file says, not what that means: the keys that there are, and what
// each sets, are the caller's.
package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/wording"
)

// A File is what a file says, in its order.
type File struct {
	Name     string
	Settings []Setting
}

// A Setting is a key and its values.
type Setting struct {
	Key     string   // as in filters.quality.min_length
	Values  []string // one, those of a list, or none where the value is null
	Section bool     // the key is of a mapping, whose keys follow
	Line    int      // from 1
}

// An Error says what is wrong with a file, and where.
type Error struct {
	Name string // the file
	Line int    // from 1
	Msg  string
	Hint string // what may help, or ""
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Msg) }

// Parse reads a file: TOML if its name ends in .toml, else YAML, of which JSON
// is a part. Its error is an *Error.
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

// Keys are the keys that a file may have, and what each does with its values. A
// nil function is that of a section.
type Keys map[string]func(values []string) error

// Set hands every setting to its key. Its error is an *Error: of a key that
// there is none of, with the nearest one as the hint, or of a value.
func (f *File) Set(keys Keys) error {
	for _, s := range f.Settings {
		set, known := keys[s.Key]
		switch {
		case !known:
			return f.unknown(s, keys)
		case (set == nil) != s.Section && (s.Section || len(s.Values) > 0):
			want := "a value"
			if set == nil {
				want = "keys of its own"
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

// unknown returns the error of an unknown key, with the nearest one as the hint. It names
// the first unknown part of the key.
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
	if n := slices.Index(last, wording.Nearest(name, last)); n >= 0 {
		e.Hint = fmt.Sprintf("did you mean %s?", all[n])
	}
	return e
}

func (f *File) errorf(s Setting, format string, args ...any) *Error {
	return &Error{Name: f.Name, Line: s.Line, Msg: fmt.Sprintf(format, args...)}
}

// Find returns the setting of a key, and whether there is one.
func (f *File) Find(key string) (Setting, bool) {
	for _, s := range f.Settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{Line: 1}, false
}

// Within returns the file as it were if these of its sections stood in another one.
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
