package flags

import (
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// datasetFlags registers the flags of a tool that writes records.
func (c *Common) datasetFlags(fs *pflag.FlagSet) {
	fs.StringVarP(&c.OutputName, "output", "o", c.OutputName, "write to `FILE`, whole or not at all, as its name says: .jsonl, .parquet, .gz, .zst")
	MarkWritten(fs, "output")
	fs.StringVar(&c.To, "to", c.To, "write in `FORMAT`: jsonl, csv, tsv, parquet, gz or zst; whatever the name of the output")
	fs.StringVar(&c.Codec, "codec", c.Codec, "compress the columns of Parquet by `CODEC`: none, snappy, lz4_raw or zstd")
	fs.IntVar(&c.Level, "level", c.Level, "compress .gz, .zst and the codec zstd at level `N`")
}

// InputFlags registers the flags of a tool that reads records.
func (c *Common) InputFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&c.Records.CSV, "csv", c.Records.CSV, "inputs are CSV or TSV with a header, whatever their names")
	if c.Records.MaxRecord == 0 {
		c.Records.MaxRecord = record.DefaultMax
	}
	fs.Var((*flagset.Size)(&c.Records.MaxRecord), "max-record", "a line or a row of more than `SIZE` is trouble")
	fs.Int64Var(&c.Records.Expect, "expect", c.Records.Expect, "fewer than `N` records in all are trouble")
}

// checkDataset refuses forms that there are none of.
func (c *Common) checkDataset() error {
	if c.To == "" {
		return dataform.CheckOutput(c.OutputName)
	}
	if _, err := dataform.Of("", c.To); err != nil {
		return fmt.Errorf("--to %w", err)
	}
	return nil
}
