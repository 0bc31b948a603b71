package option

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Sizes say how to use the size of a kept record's cluster: the number of its records, the
// kept one included.
type Sizes struct {
	ClusterSize string // the field added with the size
	Force       bool   // replace a field of that name
	Repeat      Steps  // how often a record is written
}

// Flags registers the flags.
func (z *Sizes) Flags(fs *pflag.FlagSet) {
	fs.Var((*fieldName)(&z.ClusterSize), "cluster-size", "add the field `FIELD` to each kept record: the number of records in its cluster, itself included")
	fs.BoolVar(&z.Force, "force-field", z.Force, "with --cluster-size: replace an existing field")
	fs.Var(&z.Repeat, "repeat", "write each kept record several times, by the size of its cluster: `LIST` has SIZE:TIMES for clusters of SIZE records or more, as in 1:1,2:2,100:8")
}

// SizeFlags are the names of the flags.
var SizeFlags = []string{"cluster-size", "force-field", "repeat"}

// Flag returns the first flag that needs sizes, or "".
func (z *Sizes) Flag() string {
	switch {
	case z.ClusterSize != "":
		return "--cluster-size"
	case len(z.Repeat) > 0:
		return "--repeat"
	}
	return ""
}

// Idle adds the flags that do nothing.
func (z *Sizes) Idle(i *flags.Idle) {
	i.When(z.ClusterSize == "", "without --cluster-size", "force-field")
}

// Check rejects records to which no field can be added.
func (z *Sizes) Check(read *record.Options) error {
	if z.ClusterSize != "" && read.Lines {
		return tool.UsageError("--cluster-size adds a field, but records of --lines have no fields")
	}
	return nil
}

// Sink returns the sizes for a sink; nil if they are not used.
func (z *Sizes) Sink() *record.Sizes {
	if z.Flag() == "" {
		return nil
	}
	s := &record.Sizes{Field: z.ClusterSize, Force: z.Force}
	if len(z.Repeat) > 0 {
		s.Times = z.Repeat.Times
	}
	return s
}

// A fieldName is the name of a field, which is not empty. It is a pflag.Value.
type fieldName string

// Set rejects an empty name.
func (f *fieldName) Set(name string) error {
	if name == "" {
		return errors.New("want the name of a field")
	}
	*f = fieldName(name)
	return nil
}

func (f *fieldName) String() string { return string(*f) }

// Type names the value in help.
func (f *fieldName) Type() string { return "FIELD" }

// Steps say how often a record of some size is written: the last step whose size is not larger
// applies; a record below the first step is written once. Steps is a pflag.Value.
type Steps []Step

// A Step is how often something is written from a size on.
type Step struct{ Size, Times int64 }

// Times returns how often something of this size is written.
func (s Steps) Times(size int64) int64 {
	times := int64(1)
	for _, step := range s {
		if step.Size <= size {
			times = step.Times
		}
	}
	return times
}

// mostTimes limits how often a record is written; a larger number is a slip.
const mostTimes = 1_000_000

// Set parses a list such as 1:1,2:2,100:8.
func (s *Steps) Set(list string) error {
	var steps Steps
	for one := range strings.SplitSeq(list, ",") {
		size, times, ok := strings.Cut(one, ":")
		n, err := strconv.ParseInt(size, 10, 64)
		m, err2 := strconv.ParseInt(times, 10, 64)
		switch last := len(steps) - 1; {
		case !ok || err != nil || err2 != nil || n < 1 || m < 1 || m > mostTimes:
			return fmt.Errorf("invalid step %q: want SIZE:TIMES, both 1 or more, as in 1:1,2:2,100:8", one)
		case last >= 0 && n <= steps[last].Size:
			return fmt.Errorf("invalid step %q after size %d: want ascending sizes", one, steps[last].Size)
		}
		steps = append(steps, Step{n, m})
	}
	*s = steps
	return nil
}

func (s *Steps) String() string {
	var all []string
	for _, step := range *s {
		all = append(all, fmt.Sprintf("%d:%d", step.Size, step.Times))
	}
	return strings.Join(all, ",")
}

// Type names the value in help.
func (s *Steps) Type() string { return "LIST" }
