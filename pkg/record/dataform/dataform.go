// Package dataform describes the form in which a dataset is written: its file format and its
// compression. The suffixes of the file name select both, unless a flag overrides them.
package dataform

import (
	"fmt"
	"path/filepath"
	"strings"

	"doppel/pkg/msg"
)

// A Form says how a dataset is written.
type Form struct {
	Kind    Kind // zero means the kind of the input
	Array   bool // JSON lines become a JSON array
	Packing      // compression of the lines or of the Parquet columns
}

// Renamed returns the name that a data file has after conversion: the given name, with the suffixes
// changed to those of the new form. The second argument selects the form, as for the function Of.
// If that argument is "", the name stays unchanged.
func Renamed(name, to string) string {
	if to == "" {
		return name
	}
	end, packing := filepath.Ext(name), ""
	if PackingOf(name) != "" {
		name, packing = strings.TrimSuffix(name, end), end
		end = filepath.Ext(name)
	}
	kind := bySuffix[strings.ToLower(end)]
	if kind.Name == "" {
		end = ""
	}
	name = strings.TrimSuffix(name, end)
	if to == "gz" || to == "zst" {
		if kind.Columns {
			end = ".jsonl"
		}
		return name + end + "." + to
	}
	if to != kind.Name {
		end = "." + to
	}
	if to == "parquet" || CompressionOf(packing) == Plain {
		packing = ""
	}
	return name + end + packing
}

// Of returns the form of the output with the given name. The suffixes of the name select the form,
// unless the second argument overrides them. That argument is "jsonl", "json", "csv", "tsv",
// "parquet", "gz", "zst", or "" for no override.
func Of(name, to string) (Form, error) {
	f := Form{Kind: KindOf(name), Packing: Packing{Compression: CompressionOf(name)}}
	switch to {
	case "":
	case "gz", "zst":
		f.Compression = CompressionOf("." + to)
		if f.Kind.Columns {
			f.Kind = JSONLines
		}
	case "json":
		f.Kind, f.Array = JSONLines, true
	default:
		if f.Kind = KindNamed(to); f.Kind.Columns {
			f.Compression = Plain // such files are never compressed as a whole, whatever the name
		}
		if f.Kind.Name == "" {
			return f, fmt.Errorf("%q: want jsonl, json, csv, tsv, parquet, gz or zst", to)
		}
	}
	if f.Kind.Columns && f.Compression != Plain {
		return f, fmt.Errorf("%s: Parquet is compressed internally: want a name without .gz or .zst", name)
	}
	return f, nil
}

// Made returns the output kind for input records of the given kind. It returns an error if such records
// cannot be written in the form f.
func (f Form) Made(of Kind) (Kind, error) {
	kind := f.Kind
	if kind.Name == "" && (!of.Columns || f.Compression == Plain) {
		kind = of
	}
	if kind.Name == "" {
		kind = JSONLines // columns are never compressed as a whole
	}
	switch {
	case f.Codec != "" && !kind.Columns:
		return Kind{}, fmt.Errorf("--codec applies only to Parquet output, not to %s", kind.Title)
	case kind == of || !kind.Table:
		return kind, nil
	case of.Table:
		return Kind{}, fmt.Errorf("%s cannot be written as %s: rows are copied unchanged", of.Title, kind.Title)
	default:
		err := fmt.Errorf("%s cannot be written as %s: fields may be nested", of.Title, kind.Title)
		return Kind{}, msg.WithHint(err, "write to .jsonl or .parquet, or use --to jsonl or parquet")
	}
}
