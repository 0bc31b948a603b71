package dataform

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Kind is a file format of records. The zero Kind is unknown.
type Kind struct {
	Name     string // the value of --to, such as "jsonl"
	Title    string // the name in messages
	Lines    bool   // each record is a line: JSON or, with --lines, any text
	Table    bool   // each record is a row of fields, below a header
	Columns  bool   // records are stored by columns, which are compressed inside the file and read by position
	Cuttable bool   // parts can be cut out of the texts
	suffixes string // the suffixes of file names, separated by spaces
}

// The kinds. Package record has a source for each of them.
var (
	JSONLines = Kind{Name: "jsonl", Title: "JSON lines", Lines: true, Cuttable: true, suffixes: ".jsonl .json .ndjson"}
	CSV       = Kind{Name: "csv", Title: "CSV", Table: true, suffixes: ".csv"}
	TSV       = Kind{Name: "tsv", Title: "TSV", Table: true, suffixes: ".tsv"}
	Parquet   = Kind{Name: "parquet", Title: "Parquet", Columns: true, Cuttable: true, suffixes: ".parquet .pq"}
)

var kinds = []Kind{JSONLines, CSV, TSV, Parquet}

// bySuffix maps the suffixes of file names to kinds.
var bySuffix = func() map[string]Kind {
	all := map[string]Kind{}
	for _, k := range kinds {
		for _, end := range strings.Fields(k.suffixes) {
			all[end] = k
		}
	}
	return all
}()

// KindNamed returns the kind with a name, or the zero Kind.
func KindNamed(name string) Kind {
	for _, k := range kinds {
		if k.Name == name {
			return k
		}
	}
	return Kind{}
}

// KindOf returns the kind that the suffix of a file name selects, or the zero Kind. It ignores a
// compression suffix at the end of the name.
func KindOf(name string) Kind { return bySuffix[innerEnd(name)] }

// packings maps the suffixes of the compression formats that can be read to their names.
var packings = map[string]string{".gz": "gzip", ".zst": "zstd", ".bz2": "bzip2", ".xz": "xz"}

// PackingOf returns the compression format that the suffix of a file name states, such as "gzip", or
// "".
func PackingOf(name string) string { return packings[strings.ToLower(filepath.Ext(name))] }

// innerEnd returns the suffix of a name in lower case, such as .csv for data.csv.gz. It ignores a
// compression suffix at the end of the name.
func innerEnd(name string) string {
	if PackingOf(name) != "" {
		name = name[:len(name)-len(filepath.Ext(name))]
	}
	return strings.ToLower(filepath.Ext(name))
}

// Suffixes returns all suffixes of data files, including combinations such as .csv.gz, sorted.
func Suffixes() (all []string) {
	for end, kind := range bySuffix {
		all = append(all, end)
		for packing := range packings {
			if !kind.Columns {
				all = append(all, end+packing)
			}
		}
	}
	slices.Sort(all)
	return all
}
