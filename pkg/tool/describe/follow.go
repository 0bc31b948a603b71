package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/manifest"
	"doppel/pkg/msg"
	"doppel/pkg/tool/flags"
)

// TakeOptions sets the named flags to the values that they had in the run that the manifest in the
// named file describes. A flag that was given must have the same value as in the run, unless it is one
// of the free ones, which keep the given value.
func TakeOptions(fs *pflag.FlagSet, file string, m *manifest.Manifest, names, free []string) (err error) {
	fs.VisitAll(func(f *pflag.Flag) {
		if err != nil || !slices.Contains(names, f.Name) || f.Changed && slices.Contains(free, f.Name) {
			return
		}
		values, given := m.Values(f.Name)
		switch {
		case !f.Changed:
			for _, v := range values {
				if serr := f.Value.Set(v); serr != nil {
					err = fmt.Errorf("%s: --%s %q: %w", file, f.Name, v, serr)
					return
				}
			}
		case given && !slices.Equal(values, flagset.Values(f)):
			err = flags.UsageError("--%s %s: the run had %s, by %s", f.Name, strings.Join(flagset.Values(f), " "), strings.Join(values, " "), file)
		case !given && f.Value.String() != f.DefValue:
			err = flags.UsageError("--%s %s: the run did not have this option, by %s", f.Name, strings.Join(flagset.Values(f), " "), file)
		}
	})
	return err
}

// OpenUnchanged returns the manifest in the named file. It returns an error if an operand of the run, or a
// file that one of the named options gave, has changed since then.
func OpenUnchanged(file string, options ...string) (*manifest.Manifest, error) {
	m, err := manifest.Open(file)
	if err != nil {
		return nil, err
	}
	for _, f := range slices.Concat(m.Inputs, m.Outputs) {
		if f.Option != "" && !slices.Contains(options, f.Option) {
			continue
		}
		difference, err := f.Compare()
		if err == nil && difference != "" {
			err = fmt.Errorf("%s: %s, by %s", f.Name, difference, file)
		}
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// SameOperands returns the operands of the run that the manifest in the named file describes. If
// operands were given, they must be the same.
func SameOperands(operands []string, file string, m *manifest.Manifest) ([]string, error) {
	if len(operands) > 0 && !slices.Equal(operands, m.Operands) {
		return nil, msg.WithHint(flags.UsageError("%s: not the operands of the run, by %s", strings.Join(operands, " "), file), "leave out the operands")
	}
	return m.Operands, nil
}
