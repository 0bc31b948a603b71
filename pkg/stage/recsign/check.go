package recsign

import (
	"cmp"
	"slices"
	"strings"

	"doppel/pkg/digest"
	"doppel/pkg/method"
	"doppel/pkg/method/field"
	"doppel/pkg/stage/option"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Check rejects options that are invalid, cannot be used together, or belong to another method.
func (o *Options) Check() error {
	m, err := method.Named(o.Method)
	if err != nil {
		return tool.UsageError("%v", err)
	}
	for _, arg := range o.Args() {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if owners := method.With(name); len(owners) > 0 && !slices.Contains(m.Settings, name) {
			return tool.UsageError("--%s applies only to %s, not to %s", name, strings.Join(owners, " and "), m.Name)
		}
	}
	fields := o.Records.Fields
	switch {
	case o.Split != text.Unsplit && len(fields) > 1:
		return tool.UsageError("--split takes only one --field")
	case o.Split != text.Unsplit && o.Records.IntoArray() != "":
		return tool.UsageError("--field %s leads into an array: --split needs a path to one string", o.Records.IntoArray())
	case o.Split != text.Unsplit && m.Passes:
		return tool.UsageError("--split does not apply to passages, which are parts already")
	case o.Least < 0 || o.Least > 0 && o.Split == text.Unsplit:
		return tool.UsageError("--least %d: want 0 or more; more than 0 needs --split", o.Least)
	case o.Without != "" && o.Files:
		return tool.UsageError("--without and --files cannot be used together: the list has ordinals, but the ids are file names")
	case o.Whole && len(fields) > 0 && !slices.Equal(fields, []string{flags.Text}):
		return tool.UsageError("--whole and --field cannot be used together")
	}
	if value := cmp.Or(o.Records.Within, o.Records.Across); value != "" {
		how := o.Records
		how.Names = o.Files
		switch {
		case !m.Valued:
			return tool.UsageError("%s applies only to %s, not to %s", how.FlagOf(value), strings.Join(method.Valued(), " and "), o.Method)
		case o.Whole:
			return tool.UsageError("%s and --whole cannot be used together: equal whole records have the same value", how.FlagOf(value))
		}
		if err := option.CheckValues(&how); err != nil {
			return err
		}
	}
	_, err = o.scheme(nil)
	return err
}

// Scheme returns the scheme of the signatures. It reads the file of --key.
func (o *Options) Scheme() (string, error) {
	key, err := digest.ReadKey(o.Key)
	if err != nil {
		return "", err
	}
	s, err := o.scheme(key)
	if err != nil {
		return "", err
	}
	return s.String(), nil
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	for _, m := range method.All {
		i.When(m.Name == o.Method, "with --method "+m.Name, m.Foreign()...)
	}
	i.When(o.Files, "with --files", flags.RecordFlags...)
	i.When(o.Whole, "with --whole", "field", "missing")
	return i
}

// scheme returns the scheme of signatures whose hashes have the given key; nil stands for no key.
func (o *Options) scheme(key []byte) (method.Scheme, error) {
	m, err := method.Named(o.Method)
	if err != nil {
		return nil, err
	}
	source := method.Source{Key: key}
	if !o.Whole {
		how := o.Records
		how.Names = o.Files
		source.Fields = field.Part(how)
	}
	scheme, err := m.New(o.Settings, source)
	if err != nil {
		return nil, tool.UsageError("%v", err)
	}
	return scheme, nil
}
