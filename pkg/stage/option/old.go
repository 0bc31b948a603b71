package option

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/method/field"
	"doppel/pkg/record"
	"doppel/pkg/tool/flags"
)

// Old says which fields of old records hold the texts and ids, if they differ from those of new
// records.
type Old struct {
	Fields []string // paths of the text (--against-field); if empty, the same as in new records
	ID     string   // path of the id (--against-id), for ids of the form file:id; "" for ids of the form file:ordinal
}

func (o *Old) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Fields, "against-field", o.Fields, "read the text of old records at this `PATH`, not at --field; may be repeated")
	fs.StringVar(&o.ID, "against-id", o.ID, "read the id of old records at this `PATH`, and make their ids file:id, not file:ordinal")
	flagset.Assign(fs, flagset.Kept, "against-field", "against-id")
}

// Options returns the options for reading old records. The argument holds the options for reading
// new records.
func (o *Old) Options(records record.Options) record.Options {
	records.ID, records.IDFlag, records.WithFilename, records.Mixed = o.ID, "--against-id", true, true
	if len(o.Fields) > 0 {
		records.Fields, records.Flag = o.Fields, "--against-field"
	}
	return records
}

// Scheme returns the scheme that signatures of old records must have if those of new records have
// the given scheme.
func (o *Old) Scheme(scheme string) string {
	if len(o.Fields) > 0 {
		return field.Swap(scheme, o.Fields)
	}
	return scheme
}

// Idle adds to i the flags that have no effect because no old records are given or because records
// are lines.
func (o *Old) Idle(i *flags.Idle, given bool, records *record.Options) {
	i.When(!given, "without --against", "against-field", "against-id")
	i.When(records.Lines, "with --lines", "against-field", "against-id")
}
