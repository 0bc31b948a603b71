// Package manifest describes a run: its command, and the names and checksums of its inputs and
// outputs. A manifest is a JSON object. It is written after the outputs are in their places, so it
// describes what a reader of the outputs finds.
//
// See man/doppel-manifest.5.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"doppel/pkg/msg"
)

// Version is the version of the format. A reader refuses other versions.
const Version = 1

// A Manifest describes a run.
type Manifest struct {
	Version  int             `json:"manifest"`
	Doppel   string          `json:"doppel"`            // version of the program that ran
	Command  string          `json:"command"`           // such as fuzzy
	Options  []string        `json:"options"`           // flags that were given, in the form --name=value
	Operands []string        `json:"operands"`          // operands as typed
	Seed     *uint64         `json:"seed,omitempty"`    // the random seed, of a command that has one
	Start    time.Time       `json:"start,omitzero"`    // when the run started
	Seconds  float64         `json:"seconds,omitempty"` // how long the run took
	Counts   json.RawMessage `json:"counts,omitempty"`  // the counts of the run, an object
	Inputs   []File          `json:"inputs"`
	Outputs  []File          `json:"outputs"`

	Collections []Collection `json:"collections,omitempty"` // the collections that the run read or added to
}

// A Collection describes a collection that a run compared with or added to.
type Collection struct {
	Option string          `json:"option"`           // flag that named the collection: index, against or save
	Name   string          `json:"name"`             // its directory, as typed
	Scheme json.RawMessage `json:"scheme"`           // how its records are compared, as in its manifest
	Before *State          `json:"before,omitempty"` // what the run found; nil if the run created the collection
	After  *State          `json:"after,omitempty"`  // what the run left; nil if the run only read the collection
}

// A State identifies what a collection held.
type State struct {
	Records int64  `json:"records"` // number of records that were not removed
	XXH3    string `json:"xxh3"`    // the checksum in the collection's manifest, in 32 hexadecimal digits
}

// A File describes an input or an output. Names are as typed, so a relative name applies to the
// directory of the run.
type File struct {
	Option  string `json:"option,omitempty"`  // flag that named the file, such as removed; "" for an operand
	Name    string `json:"name"`              // name as typed; of a file in a directory, its path
	Form    string `json:"form"`              // such as jsonl, jsonl.zst, parquet or lines
	Bytes   int64  `json:"bytes"`             // size of the file
	Records *int64 `json:"records,omitempty"` // number of records or lines; nil if the file has none
	XXH3    string `json:"xxh3"`              // XXH3-128 of the bytes of the file, in 32 hexadecimal digits
}

// Checksum returns the number of bytes of r and their XXH3-128 in 32 hexadecimal digits. It is nil in a
// program that does not import package checksum.
var Checksum func(r io.Reader) (size int64, digits string, err error)

// Encode returns the manifest as indented JSON, which Parse reads. It returns an error for an option
// or a name that is not UTF-8, since JSON cannot hold it.
func (m *Manifest) Encode() ([]byte, error) {
	names := slices.Concat(m.Options, m.Operands)
	for _, f := range slices.Concat(m.Inputs, m.Outputs) {
		names = append(names, f.Name)
	}
	for _, c := range m.Collections {
		names = append(names, c.Name)
	}
	for _, name := range names {
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("%q: a manifest cannot hold a name that is not UTF-8", name)
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(m)
	return text.Bytes(), err
}

// Parse returns the manifest in text, which must hold one manifest and nothing else.
func Parse(text []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("not a manifest: %w", err)
	}
	switch {
	case m.Version == 0:
		return nil, errors.New(`not a manifest: want a JSON object with the member "manifest"`)
	case m.Version != Version:
		return nil, fmt.Errorf("manifest of version %d: want version %d", m.Version, Version)
	case m.Command == "":
		return nil, errors.New("the manifest names no command")
	}
	for _, f := range slices.Concat(m.Inputs, m.Outputs) {
		if f.Name == "" || f.Bytes < 0 || len(f.XXH3) != 32 {
			return nil, fmt.Errorf("file %q of the manifest: want a name, a size and a checksum of 32 digits", f.Name)
		}
	}
	for _, c := range m.Collections {
		for _, s := range []*State{c.Before, c.After} {
			if c.Name == "" || c.Before == nil && c.After == nil || s != nil && (s.Records < 0 || len(s.XXH3) != 32) {
				return nil, fmt.Errorf("collection %q of the manifest: want a name, and a number of records and a checksum of 32 digits", c.Name)
			}
		}
	}
	return &m, nil
}

// ReadFrom returns the manifest in r. A manifest of more than 64 MiB is an error.
func ReadFrom(r io.Reader) (*Manifest, error) {
	const most = 64 << 20
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, err
	}
	if len(text) > most {
		return nil, fmt.Errorf("not a manifest: more than %d bytes", most)
	}
	return Parse(text)
}

// Compare returns what differs between a file and its description, or "" if its bytes are the same. It
// reads the file only if the size is right.
func (f File) Compare() (difference string, err error) {
	file, err := os.Open(f.Name)
	if errors.Is(err, os.ErrNotExist) && !filepath.IsAbs(f.Name) {
		err = msg.WithHint(fmt.Errorf("%s: %w", f.Name, syscall.ENOENT), "names in a manifest are relative to the directory of the run")
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() != f.Bytes {
		return fmt.Sprintf("%d bytes, want %d", info.Size(), f.Bytes), nil
	}
	_, digits, err := Checksum(file)
	if err == nil && digits != f.XXH3 {
		difference = fmt.Sprintf("checksum %s, want %s", digits, f.XXH3)
	}
	return difference, err
}

// Open returns the manifest in the named file.
func Open(name string) (*Manifest, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadFrom(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// Values returns the values that the run gave to an option, and whether it was given.
func (m *Manifest) Values(option string) (values []string, given bool) {
	for _, arg := range m.Options {
		name, value, valued := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if name != option {
			continue
		}
		if !valued {
			value = "true"
		}
		values = append(values, value)
	}
	return values, len(values) > 0
}
