// Package dataform defines how datasets are written: the file format, which the name's
// suffix chooses unless a flag does, and the compression.
package dataform

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/msg"
)

// A Form says how a dataset is written.
type Form struct {
	Kind    string // "jsonl", "csv", "tsv" or "parquet"; "" means the format of the input
	Packing        // applies to streams of lines, and to columns of Parquet
}

// kinds maps suffixes to formats.
var kinds = map[string]string{
	".jsonl": "jsonl", ".json": "jsonl", ".ndjson": "jsonl",
	".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "tsv",
}

// packings are the suffixes of compressed files.
var packings = []string{".gz", ".zst", ".bz2", ".xz"}

// Suffixes returns all suffixes of data files, sorted.
func Suffixes() (all []string) {
	for end := range kinds {
		all = append(all, end)
		for _, packing := range packings {
			if kinds[end] != "parquet" {
				all = append(all, end+packing)
			}
		}
	}
	slices.Sort(all)
	return all
}

// KindOf returns the format that the suffix of a file name selects, as in Form.Kind, or "" if it
// selects none. It ignores a compression suffix at the end.
func KindOf(name string) string {
	return kinds[innerEnd(name)]
}

// innerEnd returns the suffix of a name in lower case. It ignores a compression suffix at the end.
func innerEnd(name string) string {
	end := strings.ToLower(filepath.Ext(name))
	if slices.Contains(packings, end) {
		end = strings.ToLower(filepath.Ext(name[:len(name)-len(end)]))
	}
	return end
}

// Renamed returns a new name for a data file that is converted to the form to: the same name with
// the suffixes of that form. The values of to are those that Of accepts. If to is "", the name
// stays unchanged.
func Renamed(name, to string) string {
	if to == "" {
		return name
	}
	end, packing := filepath.Ext(name), ""
	if slices.Contains(packings, strings.ToLower(end)) {
		name, packing = strings.TrimSuffix(name, end), end
		end = filepath.Ext(name)
	}
	kind := kinds[strings.ToLower(end)]
	if kind == "" {
		end = ""
	}
	name = strings.TrimSuffix(name, end)
	if to == "gz" || to == "zst" {
		if kind == "parquet" {
			end = ".jsonl"
		}
		return name + end + "." + to
	}
	if to != kind {
		end = "." + to
	}
	if to == "parquet" || CompressionOf(packing) == Plain {
		packing = ""
	}
	return name + end + packing
}

// Of returns the form of the output with the given name. The suffixes of the name select the form,
// unless to overrides them. The value of to is "jsonl", "csv", "tsv", "parquet", "gz", "zst", or ""
// for no override.
func Of(name, to string) (Form, error) {
	f := Form{KindOf(name), Packing{Compression: CompressionOf(name)}}
	switch to {
	case "":
	case "gz", "zst":
		f.Compression = CompressionOf("." + to)
		if f.Kind == "parquet" {
			f.Kind = "jsonl"
		}
	case "jsonl", "csv", "tsv", "parquet":
		if f.Kind = to; to == "parquet" {
			f.Compression = Plain // even if the name has a compression suffix
		}
	default:
		return f, fmt.Errorf("%q: want jsonl, csv, tsv, parquet, gz or zst", to)
	}
	if f.Kind == "parquet" && f.Compression != Plain {
		return f, fmt.Errorf("%s: Parquet is compressed internally: want a name without .gz or .zst", name)
	}
	return f, nil
}

// Made returns the format in which records of the format of are written, or an error if f does not
// allow them.
func (f Form) Made(of string) (string, error) {
	kind := f.Kind
	if kind == "" && (of != "parquet" || f.Compression == Plain) {
		kind = of
	}
	if kind == "" {
		kind = "jsonl" // a compressed stream consists of lines
	}
	switch {
	case f.Codec != "" && kind != "parquet":
		return "", fmt.Errorf("--codec applies only to Parquet output, not to %s", KindNames[kind])
	case kind == of || kind != "csv" && kind != "tsv":
		return kind, nil
	case of == "csv" || of == "tsv":
		return "", fmt.Errorf("%s cannot be written as %s: rows are copied unchanged", KindNames[of], KindNames[kind])
	default:
		err := fmt.Errorf("%s cannot be written as %s: fields may be nested", KindNames[of], KindNames[kind])
		return "", msg.WithHint(err, "write to .jsonl or .parquet, or use --to jsonl or parquet")
	}
}

// KindNames are the names of the formats in messages.
var KindNames = map[string]string{"jsonl": "JSON lines", "parquet": "Parquet", "csv": "CSV", "tsv": "TSV"}
