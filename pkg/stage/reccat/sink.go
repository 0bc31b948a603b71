package reccat

import (
	"path/filepath"

	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A sink writes records in the format that is wanted.
type sink struct {
	*record.Sink
	lines record.LineWriter // nil: lines are written as they came
}

// formats are the values of --to, by the end of a file's name.
var formats = map[string]string{".jsonl": "jsonl", ".json": "jsonl", ".gz": "gz", ".zst": "zst", ".parquet": "parquet"}

// packings are how each format is compressed, "" being that of standard output.
var packings = map[string]record.Compression{"": record.Plain, "jsonl": record.Plain, "parquet": record.Plain, "gz": record.Gzip, "zst": record.Zstd}

func newSink(e *tool.Env, o *Options, rd *record.Reader) (*sink, error) {
	to := o.To
	if to == "" {
		to = formats[filepath.Ext(e.OutputName)]
	}
	err := e.Compress(packings[to]) // before anything takes hold of e.Out
	s := &sink{Sink: record.NewSink(rd, e.Out)}
	if to == "parquet" {
		s.lines = record.FormatNamed("PAR1").Writer(e.Out)
	} else {
		s.Unpack()
	}
	return s, err
}

// Keep writes a record.
func (s *sink) Keep(rec *record.Record) error {
	if s.lines != nil && s.Sink.Lines() {
		return s.lines.WriteLine(rec.Raw)
	}
	return s.Sink.Keep(rec)
}

// Close writes what is still to be written.
func (s *sink) Close() error {
	if s.lines != nil && s.Sink.Lines() {
		return s.lines.Close()
	}
	return s.Sink.Close()
}
