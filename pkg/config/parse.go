package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"
)

// An Error says what is wrong with a file, and where.
type Error struct {
	Name string // the file
	Line int    // from 1
	Msg  string
	Hint string // what may help, or ""
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Msg) }

// A syntax is one of the two languages of files.
type syntax interface {
	// decode fills in c; its error is an *Error without a name.
	decode(data []byte, c *Config) error
	// line returns the line on which a key stands, or 1.
	line(data []byte, path []string) int
}

// Parse reads a file: TOML if its name ends in .toml, else YAML, of which JSON
// is a part.
func Parse(name string, data []byte) (*Config, error) {
	var s syntax = yamlSyntax{}
	if filepath.Ext(name) == ".toml" {
		s = tomlSyntax{}
	}
	c, err := parse(s, data)
	var e *Error
	if errors.As(err, &e) {
		e.Name = name
	}
	return c, err
}

func parse(s syntax, data []byte) (*Config, error) {
	c := new(Config)
	if err := s.decode(data, c); err != nil {
		return nil, err
	}
	if err := c.gather(); err != nil {
		return nil, locate(err, s, data)
	}
	if err := c.check(); err != nil {
		return nil, locate(err, s, data)
	}
	return c, nil
}

// gather moves the filters of a file of filters alone to where they belong.
func (c *Config) gather() error {
	if c.Language != nil && c.Filters.Language != nil {
		return &valueError{path: "language", msg: "filters.language is set as well"}
	}
	if c.Quality != nil && c.Filters.Quality != nil {
		return &valueError{path: "quality", msg: "filters.quality is set as well"}
	}
	if c.Language != nil {
		c.Filters.Language, c.Language = c.Language, nil
	}
	if c.Quality != nil {
		c.Filters.Quality, c.Quality = c.Quality, nil
	}
	return nil
}

func locate(err error, s syntax, data []byte) error {
	var v *valueError
	if !errors.As(err, &v) {
		return err
	}
	keys := strings.Split(v.path, ".")
	line := s.line(data, keys)
	if line == 0 { // a file of filters alone
		line = s.line(data, keys[1:])
	}
	return &Error{Line: max(line, 1), Msg: v.Error(), Hint: v.hint}
}

type yamlSyntax struct{}

func (yamlSyntax) decode(data []byte, c *Config) error {
	err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(c)
	if err == io.EOF { // an empty file
		return nil
	}
	var y yaml.Error
	if err == nil || !errors.As(err, &y) {
		return plainError(err)
	}
	e := &Error{Line: 1, Msg: y.GetMessage()}
	if t := y.GetToken(); t != nil {
		e.Line = t.Position.Line
	}
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		e.Msg, e.Hint = unknownKey(unknown.Token.Value)
	}
	return e
}

// plainError gives an error without a position the first line.
func plainError(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Line: 1, Msg: err.Error()}
}

type tomlSyntax struct{}

func (tomlSyntax) decode(data []byte, c *Config) error {
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(c)
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		first := strict.Errors[0]
		line, _ := first.Position()
		e := &Error{Line: line}
		e.Msg, e.Hint = unknownKey(firstUnknown(first.Key()))
		return e
	}
	var d *toml.DecodeError
	if errors.As(err, &d) {
		line, _ := d.Position()
		return &Error{Line: line, Msg: strings.TrimPrefix(d.Error(), "toml: ")}
	}
	return plainError(err)
}
