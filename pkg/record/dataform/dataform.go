// Package dataform is how datasets are written: as which kind of file, which the end of a
// name says unless it is said apart, and how they are compressed.
package dataform

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/wording"
)

// A Form is how a dataset is written.
type Form struct {
	Kind    string // "jsonl", "csv", "tsv" or "parquet"; "" is as the records came
	Packing        // Parquet is compressed in itself
}

// kinds are what the ends of names stand for.
var kinds = map[string]string{
	".jsonl": "jsonl", ".json": "jsonl", ".ndjson": "jsonl",
	".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "tsv",
}

// packings are what the ends of names of compressed data are.
var packings = []string{".gz", ".zst", ".bz2", ".xz"}

// Suffixes returns how the names of data files may end, sorted.
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

// KindOf returns the kind of data that a name stands for, with or without
// the end that says how it is compressed, or "".
func KindOf(name string) string {
	return kinds[innerEnd(name)]
}

// innerEnd returns the end of a name, in lower case, without the one that says how the
// file is compressed.
func innerEnd(name string) string {
	end := strings.ToLower(filepath.Ext(name))
	if slices.Contains(packings, end) {
		end = strings.ToLower(filepath.Ext(name[:len(name)-len(end)]))
	}
	return end
}

// Renamed returns the name of a file of data that is written in the form that to says, as Of
// has it: its ends are exchanged. "" leaves the name as it is.
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

// Of returns the form of an output: by its name, but for what to says, which
// is one of "jsonl", "csv", "tsv", "parquet", "gz" and "zst", or "".
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
			f.Compression = Plain // whatever its name
		}
	default:
		return f, fmt.Errorf("%q: want jsonl, csv, tsv, parquet, gz or zst", to)
	}
	if f.Kind == "parquet" && f.Compression != Plain {
		return f, fmt.Errorf("%s: a Parquet file is compressed in itself", name)
	}
	return f, nil
}

// Made returns the kind that records of another are written as, or an error if
// they cannot be.
func (f Form) Made(of string) (string, error) {
	kind := f.Kind
	if kind == "" && (of != "parquet" || f.Compression == Plain) {
		kind = of
	}
	if kind == "" {
		kind = "jsonl" // a compressed stream is of lines
	}
	switch {
	case f.Codec != "" && kind != "parquet":
		return "", fmt.Errorf("--codec applies only to Parquet output, not to %s", KindNames[kind])
	case kind == of || kind != "csv" && kind != "tsv":
		return kind, nil
	case of == "csv" || of == "tsv":
		return "", fmt.Errorf("%s cannot be written as %s: rows stay as they came", KindNames[of], KindNames[kind])
	default:
		err := fmt.Errorf("records that come as %s cannot be written as %s: their fields may be nested", KindNames[of], KindNames[kind])
		return "", wording.WithHint(err, "write .jsonl or .parquet, or --to one of them")
	}
}

// KindNames are how messages name the kinds.
var KindNames = map[string]string{"jsonl": "JSON lines", "parquet": "Parquet", "csv": "CSV", "tsv": "TSV"}
