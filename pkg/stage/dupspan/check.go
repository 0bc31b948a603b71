package dupspan

import (
	"slices"

	"doppel/pkg/method"
	"doppel/pkg/passage"
	"doppel/pkg/passage/span"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
)

// stdin is how an operand names standard input.
const stdin = "-"

// Check refuses options that mean nothing, or exclude each other.
func (o *Options) Check() error {
	if len(o.Data) == 0 {
		return tool.UsageError("want the records, by --records")
	}
	if slices.Contains(o.Data, stdin) || slices.Contains(o.references(), stdin) {
		return wording.WithHint(tool.UsageError("records are read more than once, which standard input cannot be"), "doppel passages copies it")
	}
	if err := o.checkSource(); err != nil {
		return err
	}
	return o.checkRule()
}

// checkSource refuses what makes keys where they are read.
func (o *Options) checkSource() error {
	preset := Default()
	switch {
	case len(o.Reference) > 0 && len(o.Against) == 0:
		return tool.UsageError("--against-records are those of the keys of --against: want that, too")
	case o.Scan:
		_, err := method.PassageScheme(o.Length, o.Normalize)
		return usage(err)
	case o.Length != preset.Length || o.Normalize != "":
		return tool.UsageError("--length and --normalize go with --scan: keys say by themselves of what they are")
	case len(o.Against) > 0:
		return tool.UsageError("--against goes with --scan")
	}
	return nil
}

func (o *Options) checkRule() error {
	switch {
	case o.Keep != "first" && o.Keep != "none":
		return tool.UsageError("--keep %q: want first or none", o.Keep)
	case o.Copies < 1:
		return tool.UsageError("--copies %d: want 1 or more", o.Copies)
	case len(o.Against) > 0 && (o.Keep != "first" || o.Copies > 1):
		return tool.UsageError("--against drops what stands there once, whatever --keep and --copies say of others")
	}
	return usage(o.cutting(passage.Scheme{Unit: passage.Bytes, Length: 1, Window: 1}).Check())
}

func usage(err error) error {
	if err == nil {
		return nil
	}
	return tool.UsageError("%v", err)
}

// Idle returns the flags that do nothing.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(!o.Scan, "without --scan", "length", "normalize", "against", "against-records")
	i.When(len(o.Against) > 0, "with --against", "keep", "copies")
	return i
}

// rule is when a passage goes.
func (o *Options) rule() passage.Rule {
	r := passage.Rule{Keep: passage.KeepFirst, Copies: o.Copies}
	if o.Keep == "none" {
		r.Keep = passage.KeepNone
	}
	return r
}

// cutting is what of a record goes.
func (o *Options) cutting(s passage.Scheme) span.Options {
	return span.Options{Scheme: s, Bridge: o.Bridge, Snap: o.Snap, MinLeft: o.MinLeft}
}
