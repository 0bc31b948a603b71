package flags

import (
	"fmt"

	"doppel/pkg/output"
	"doppel/pkg/record/dataform"
)

// OutputForm returns the form of an output with the given name. The format is given by --to or by the
// name; if neither gives a format, it is the last argument.
func (c *Common) OutputForm(name string, usual dataform.Kind) (dataform.Form, error) {
	form, err := dataform.Of(name, c.To)
	if err != nil {
		return form, UsageError("%v", err)
	}
	if form.Kind.Name == "" {
		form.Kind = usual
	}
	form.Codec, form.Level, form.Jobs = c.Codec, c.Level, c.Jobs
	if form.Kind.Columns && form.Level > 0 && form.Codec == "" {
		return form, UsageError("--level needs --codec zstd for Parquet output")
	}
	if err := form.Check(); err != nil {
		return form, UsageError("%v", err)
	}
	return form, nil
}

// CheckResult returns an error if these options cannot apply to a result with the name, and so the
// format, of the given shard. If the name has no suffix, it returns nil.
func (c *Common) CheckResult(shard string) error {
	form, err := c.OutputForm(shard, dataform.Kind{})
	if err == nil && form.Kind.Name != "" {
		_, err = form.Made(form.Kind)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", shard, err)
	}
	return nil
}

// Shards returns the input files of a run for which -o names a directory, and the output of each. The
// map called has the display names of inputs without a name of their own.
func (c *Common) Shards(operands []string, called map[string]string) ([]output.Shard, error) {
	d := output.Directory{Name: c.OutputName, To: c.To, Tree: c.Tree, Copy: called}
	return d.Shards(operands, func(place string) (err error) {
		if c.To == "" {
			err = dataform.CheckOutput(place)
		}
		if err == nil {
			_, err = c.OutputForm(place, dataform.Kind{})
		}
		return err
	})
}
