package tool

import (
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// Sink returns what writes records of rd to the output, in the form that the name
// of the output or --to says; where neither says any, as they came, or in the
// form that is usual. It is called before anything is written.
func (e *Env) Sink(rd *record.Reader, usual string) (*record.Sink, error) {
	form, err := e.form(usual)
	if err != nil {
		return nil, err
	}
	if err := e.open(form.Packing); err != nil {
		return nil, err
	}
	return record.NewSink(rd, e.Out, form), nil
}

// form returns the form of the output.
func (e *Env) form(usual string) (dataform.Form, error) {
	form, err := dataform.Of(e.OutputName, e.To)
	if err != nil {
		return form, UsageError("%v", err)
	}
	if form.Kind == "" {
		form.Kind = usual
	}
	form.Codec, form.Level, form.Jobs = e.Codec, e.Level, e.Jobs
	if form.Kind == "parquet" && form.Level > 0 && form.Codec == "" {
		return form, UsageError("--level of Parquet needs --codec zstd")
	}
	if err := form.Check(); err != nil {
		return form, UsageError("%v", err)
	}
	return form, nil
}

// Foresee returns the kind of the inputs, or an error that a run meets that reads them and
// writes them to the output. It reads no records.
func (e *Env) Foresee(names []string) (kind string, err error) {
	form, err := e.form("")
	if err != nil {
		return "", err
	}
	return record.Foresee(e.Input(names), e.Records, form)
}
