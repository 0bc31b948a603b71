package record

import (
	"io"

	"doppel/pkg/record/dataform"
)

// Foresee opens every input and closes it. It returns the kind of the inputs, as a Form names
// it, or an error that reading and writing them in this form would meet: inputs of two kinds,
// records that cannot be written so, Parquet files of two schemas. It reads no records.
func Foresee(in Input, opt Options, form dataform.Form) (kind string, err error) {
	opt.Expect = 0
	rd, err := NewReader(in, opt)
	if err != nil {
		return "", err
	}
	sink := NewSink(rd, io.Discard, form)
	defer func() {
		for _, f := range rd.kept {
			f.Close()
		}
	}()
	for {
		if err := rd.open(); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
		if err := rd.source.Close(); err != nil {
			return "", err
		}
	}
	if rd.format != nil && sink.kind == "parquet" {
		err = rd.format.Alike(rd.kept)
	}
	return rd.kind(), err
}
