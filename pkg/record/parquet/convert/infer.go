// Package convert converts the rows of a Parquet file to JSON lines, and JSON lines to a
// Parquet file with an inferred schema.
package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"
)

// A kind is the JSON type of the values of a field.
type kind int

const (
	unknown kind = iota // only null or missing values so far
	boolean
	integer
	number
	text
	list
	object
)

var kindNames = []string{"null", "a boolean", "a number", "a number", "a string", "an array", "an object"}

// A shape is the schema of a field, inferred from the values seen so far. All values of a field
// must have the same kind, but integers and other numbers may be mixed.
type shape struct {
	kind   kind
	fields map[string]*shape // shapes of the fields of an object
	elem   *shape            // shape of the elements of a list
	wide   json.Number       // the first integer that a double cannot represent exactly, or ""
}

// maxNesting limits the nesting of values, because package pages reads at most a hundred levels of
// a schema, and an array takes two levels.
const maxNesting = 48

// learn extends the shape so that it describes v too, or returns an error if v has another kind.
// The error names the field at the given path.
func (s *shape) learn(v any, path []string) error {
	k := kindOf(v)
	switch {
	case len(path) > maxNesting:
		return fmt.Errorf("field %q is nested more than %d levels deep, too deep for Parquet output", path[0], maxNesting)
	case k == unknown:
		return nil
	case s.kind == unknown:
		s.kind = k
	case s.kind == integer && k == number:
		s.kind = number
	case s.kind == number && k == integer:
	case s.kind != k:
		return fmt.Errorf("field %q is %s, but was %s before", strings.Join(path, "."), kindNames[k], kindNames[s.kind])
	}
	switch v := v.(type) {
	case json.Number:
		return s.learnNumber(v, path)
	case []any:
		if s.elem == nil {
			s.elem = &shape{}
		}
		for _, e := range v {
			if err := s.elem.learn(e, append(path, "[]")); err != nil {
				return err
			}
		}
	case map[string]any:
		if s.fields == nil {
			s.fields = map[string]*shape{}
		}
		for name, value := range v {
			if s.fields[name] == nil {
				s.fields[name] = &shape{}
			}
			if err := s.fields[name].learn(value, append(path, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// A column of integers is written as 64-bit integers, and any other column of numbers as doubles.
// An integer that the type of its column cannot represent exactly is an error, because an id that
// lost its last digits would be another id. Fractions become the nearest double, as in most JSON
// readers.

// learnNumber returns an error if the column, as inferred so far, cannot hold v.
func (s *shape) learnNumber(v json.Number, path []string) error {
	f, err := v.Float64()
	if err != nil {
		return fmt.Errorf("field %q: %.40s is too large for Parquet", strings.Join(path, "."), v)
	}
	if digits := !strings.ContainsAny(string(v), ".eEN") && v[len(v)-1] <= '9'; s.wide == "" && digits && (f <= -1<<53 || f >= 1<<53) {
		want, ok := new(big.Int).SetString(string(v), 10)
		if got, _ := big.NewFloat(f).Int(nil); !ok || got.Cmp(want) != 0 {
			s.wide = v
		}
	}
	if s.kind == number && s.wide != "" {
		return fmt.Errorf("field %q: %.40s would lose digits: some values are not whole numbers of 64 bits, so all become doubles", strings.Join(path, "."), s.wide)
	}
	return nil
}

func kindOf(v any) kind {
	switch v := v.(type) {
	case bool:
		return boolean
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return integer
		}
		return number
	case string:
		return text
	case []any:
		return list
	case map[string]any:
		return object
	}
	return unknown
}

// names returns the names of the fields of an object, sorted, as in the schema.
func (s *shape) names() []string { return slices.Sorted(maps.Keys(s.fields)) }

// node returns the Parquet schema of the shape. All fields are optional, because a record may lack
// them; a field that is always null becomes a string. Strings are plain, because such pages are
// read and copied without decoding each text, and because every program reads them.
func (s *shape) node() pq.Node {
	switch s.kind {
	case boolean:
		return pq.Optional(pq.Leaf(pq.BooleanType))
	case integer:
		return pq.Optional(pq.Int(64))
	case number:
		return pq.Optional(pq.Leaf(pq.DoubleType))
	case list:
		return pq.Optional(pq.List(s.elem.node()))
	case object:
		return pq.Optional(s.group())
	}
	return pq.Optional(pq.Encoded(pq.String(), &pq.Plain))
}

func (s *shape) group() pq.Group {
	g := pq.Group{}
	for name, field := range s.fields {
		g[name] = field.node()
	}
	return g
}

// check returns an error if the shape contains an object without fields, which Parquet cannot
// represent.
func (s *shape) check(path []string) error {
	if s.kind == object && len(s.fields) == 0 {
		return fmt.Errorf("field %q has only empty objects, which Parquet cannot store", strings.Join(path, "."))
	}
	for _, name := range s.names() {
		if err := s.fields[name].check(append(path, name)); err != nil {
			return err
		}
	}
	if s.elem != nil {
		return s.elem.check(append(path, "[]"))
	}
	return nil
}
