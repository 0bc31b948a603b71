package option

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/lsh"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Pairing says how the members of a bucket are paired, and which reports are written.
type Pairing struct {
	lsh.Pairing
	Count bool   // write how many keys each pair shares
	List  string // file for the keys that more than Common records have; "" for none
}

// DefaultPairing returns options that pair all members of a bucket with each other if it has at
// most 1000 members.
func DefaultPairing() Pairing { return Pairing{Pairing: lsh.Pairing{Hot: 1000}} }

// Idle adds to i the flags that have no effect with these options.
func (p *Pairing) Idle(i *flags.Idle) {
	i.When(p.Common == 0, "without --df", "common")
}

// Check returns an error if the limit of a hot bucket is not positive.
func (p *Pairing) Check() error {
	if p.Hot < 1 {
		return tool.UsageError("--hot %d: want 1 or more", p.Hot)
	}
	return nil
}

// Flags registers the flags that set these options.
func (p *Pairing) Flags(fs *pflag.FlagSet) {
	fs.IntVar(&p.Hot, "hot", p.Hot, "limit pairs in buckets of over `N` records; each record of such a bucket is paired with only 16 others")
	fs.BoolVar(&p.All, "all-pairs", p.All, "pair all records of equal signatures with each other; otherwise only with the first")
	fs.IntVar(&p.Common, "df", p.Common, "ignore keys of more than `N` records (default: none)")
	fs.StringVar(&p.List, "common", p.List, "write the keys that --df ignores to `FILE`")
	flags.MarkWritten(fs, "common")
	fs.BoolVar(&p.Count, "count", p.Count, "write how many keys each pair shares")
	flagset.Assign(fs, flagset.Signatures, "hot", "all-pairs", "df")
	flagset.Assign(fs, flagset.Output, "count")
	flagset.Assign(fs, flagset.Evidence, "common")
	flagset.AtLeast(fs, 1, "df")
}
