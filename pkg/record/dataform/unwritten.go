package dataform

import (
	"fmt"
	"path/filepath"
	"strings"

	"doppel/pkg/msg"
)

// unwritten maps suffixes to formats that the tools do not write. A file of lines with such a
// suffix would look like a file of that format, and programs could not open it. Suffixes that do
// not name a format, such as .txt, .out or .2024, are accepted.
var unwritten = map[string]string{
	".arrow": "Arrow", ".feather": "Feather", ".ipc": "Arrow", ".orc": "ORC", ".avro": "Avro", ".lance": "Lance",
	".xlsx": "Excel", ".xls": "Excel", ".ods": "OpenDocument", ".docx": "Word", ".doc": "Word", ".pdf": "PDF",
	".sqlite": "SQLite", ".sqlite3": "SQLite", ".duckdb": "DuckDB", ".mdb": "LMDB",
	".npy": "NumPy", ".npz": "NumPy", ".pkl": "pickle", ".pickle": "pickle", ".pt": "PyTorch",
	".h5": "HDF5", ".hdf5": "HDF5", ".tfrecord": "TFRecord", ".xml": "XML", ".yaml": "YAML", ".yml": "YAML",
	".zip": "zip", ".tar": "tar", ".tgz": "tar", ".7z": "7-Zip", ".rar": "RAR",
	".bz2": "bzip2", ".xz": "xz", ".lzma": "xz", ".lz4": "lz4", ".br": "Brotli", ".snappy": "snappy",
}

// CheckOutput returns an error if the name of an output has the suffix of a format that the tools
// do not write.
func CheckOutput(name string) error {
	end := strings.ToLower(filepath.Ext(name))
	what := unwritten[end]
	if what == "" {
		what = unwritten[innerEnd(name)] // for example .tar, in a name that ends with .tar.gz
	}
	if what == "" {
		return nil
	}
	return msg.WithHint(fmt.Errorf("%s: %s is not supported as output", name, what),
		"write records to .jsonl, .csv, .tsv or .parquet, lines to .gz or .zst; --to overrides the name")
}

// CheckLines is like CheckOutput, for an output of plain lines: it also returns an error for the
// suffixes of Parquet and CSV.
func CheckLines(name string) error {
	if kind := KindOf(name); kind == Parquet || kind == CSV {
		return msg.WithHint(fmt.Errorf("%s: lines cannot be written as %s", name, kind.Title), "choose another name, such as .jsonl")
	}
	return CheckOutput(name)
}
