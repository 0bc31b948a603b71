package tool

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// datasetFlags registers the flags of a tool that writes records.
func (c *Common) datasetFlags(fs *pflag.FlagSet) {
	fs.StringVarP(&c.OutputName, "output", "o", c.OutputName, "write to `FILE`, whole or not at all, as its name says: .jsonl, .parquet, .gz, .zst")
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
		return UsageError("--to %v", err)
	}
	return nil
}

// Sink returns what writes records of rd to the output, in the form that the name
// of the output or --to says; where neither says any, as they came, or in the
// form that is usual. It is called before anything is written.
func (e *Env) Sink(rd *record.Reader, usual string) (*record.Sink, error) {
	form, err := dataform.Of(e.OutputName, e.To)
	if err != nil {
		return nil, UsageError("%v", err)
	}
	if form.Kind == "" {
		form.Kind = usual
	}
	form.Codec, form.Level, form.Jobs = e.Codec, e.Level, e.Jobs
	if form.Kind == "parquet" && form.Level > 0 && form.Codec == "" {
		return nil, UsageError("--level of Parquet needs --codec zstd")
	}
	if err := form.Check(); err != nil {
		return nil, UsageError("%v", err)
	}
	if err := e.Compress(form.Packing); err != nil {
		return nil, err
	}
	return record.NewSink(rd, e.Out, form), nil
}
