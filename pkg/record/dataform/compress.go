package dataform

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/msg"
)

// A Compression is a compression format of a stream.
type Compression int

// The compressions.
const (
	Plain Compression = iota // uncompressed
	Gzip
	Zstd
)

// CompressionOf returns the compression that the suffix of a file name selects: Gzip for .gz, Zstd
// for .zst, and otherwise Plain.
func CompressionOf(name string) Compression {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	}
	return Plain
}

// A Packing says how an output is compressed.
type Packing struct {
	Compression        // compression of a stream of lines
	Codec       string // codec of Parquet columns; "" means the input's codec, or zstd if the input is not Parquet
	Level       int    // level of the compression or codec; 0 means the default
	Jobs        int    // number of goroutines that compress; 0 means 1
	Among       int    // number of simultaneous outputs, which share the memory of one; 0 means 1
}

// Check returns an error if the codec is unknown, or if the level is out of range for the
// compression or codec.
func (p Packing) Check() error {
	levels := [...]int{Gzip: 9, Zstd: 19} // highest level of each compression; the lowest is 1
	most := levels[p.Compression]
	if p.Codec == "zstd" {
		most = levels[Zstd]
	}
	switch {
	case p.Codec != "" && !slices.Contains(codecs, p.Codec):
		return fmt.Errorf("--codec %q: want %s", p.Codec, msg.Or(codecs))
	case p.Level != 0 && most == 0:
		return fmt.Errorf("--level applies only to output that ends in .gz or .zst, or has --codec zstd")
	case p.Level < 0 || p.Level > most:
		return fmt.Errorf("--level %d: want 1 to %d", p.Level, most)
	}
	return nil
}

// codecs are the valid values of Packing.Codec other than "".
var codecs = []string{"none", "snappy", "lz4_raw", "zstd"}
