// Package dataform describes the form in which a dataset is written: its file format and its
// compression. The suffixes of the file name select both, unless a flag overrides them.
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
	Array   bool   // JSON lines become a JSON array
	Packing        // compression of the lines or of the Parquet columns
}

// kinds maps the suffixes of file names to the values of Form.Kind.
var kinds = map[string]string{
	".jsonl": "jsonl", ".json": "jsonl", ".ndjson": "jsonl",
	".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "tsv",
}

// packings are the suffixes of the compression formats that can be read.
var packings = []string{".gz", ".zst", ".bz2", ".xz"}

// Suffixes returns all suffixes of data files, including combinations such as .csv.gz, sorted.
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

// KindOf returns the format that the suffix of a file name selects, as in Form.Kind, or "" if the
// suffix selects no format. It ignores a compression suffix at the end of the name.
func KindOf(name string) string {
	return kinds[innerEnd(name)]
}

// innerEnd returns the suffix of a name in lower case, such as .csv for data.csv.gz. It ignores a
// compression suffix at the end of the name.
func innerEnd(name string) string {
	end := strings.ToLower(filepath.Ext(name))
	if slices.Contains(packings, end) {
		end = strings.ToLower(filepath.Ext(name[:len(name)-len(end)]))
	}
	return end
}

// Renamed returns the name that a data file has after conversion: the given name, with the suffixes
// changed to those of the new form. The second argument selects the form, as for the function Of.
// If that argument is "", the name stays unchanged.
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
// unless the second argument overrides them. That argument is "jsonl", "json", "csv", "tsv",
// "parquet", "gz", "zst", or "" for no override.
func Of(name, to string) (Form, error) {
	f := Form{Kind: KindOf(name), Packing: Packing{Compression: CompressionOf(name)}}
	switch to {
	case "":
	case "gz", "zst":
		f.Compression = CompressionOf("." + to)
		if f.Kind == "parquet" {
			f.Kind = "jsonl"
		}
	case "json":
		f.Kind, f.Array = "jsonl", true
	case "jsonl", "csv", "tsv", "parquet":
		if f.Kind = to; to == "parquet" {
			f.Compression = Plain // Parquet files are never compressed as a whole, whatever the name
		}
	default:
		return f, fmt.Errorf("%q: want jsonl, json, csv, tsv, parquet, gz or zst", to)
	}
	if f.Kind == "parquet" && f.Compression != Plain {
		return f, fmt.Errorf("%s: Parquet is compressed internally: want a name without .gz or .zst", name)
	}
	return f, nil
}

// Made returns the output format for input records of the given format. Both formats are given as
// in Form.Kind. Made returns an error if such records cannot be written in the form f.
func (f Form) Made(of string) (string, error) {
	kind := f.Kind
	if kind == "" && (of != "parquet" || f.Compression == Plain) {
		kind = of
	}
	if kind == "" {
		kind = "jsonl" // Parquet is never compressed as a whole
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

// KindNames maps the values of Form.Kind to the format names that messages use.
var KindNames = map[string]string{"jsonl": "JSON lines", "parquet": "Parquet", "csv": "CSV", "tsv": "TSV"}
