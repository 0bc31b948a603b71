package option

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/write"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Sizes say how the size of a kept record's cluster affects the output. The size is the number of
// records in the cluster, including the kept record.
type Sizes struct {
	ClusterSize string // name of the field for the size that is added to kept records; "" for none
	Force       bool   // replace an existing field of that name
	Repeat      Steps  // how often a kept record is written; if empty, once
}

// Flags registers the flags that set these options.
func (z *Sizes) Flags(fs *pflag.FlagSet) {
	fs.Var((*fieldName)(&z.ClusterSize), "cluster-size", "add the field `FIELD` to each kept record: the number of records in its cluster, itself included")
	fs.BoolVar(&z.Force, "force-field", z.Force, "with --cluster-size: replace an existing field")
	fs.Var(&z.Repeat, "repeat", "write each kept record several times, by the size of its cluster: `LIST` has SIZE:TIMES for clusters of SIZE records or more, as in 1:1,2:2,100:8")
	flagset.Assign(fs, flagset.Output, "cluster-size", "force-field", "repeat")
}

// SizeFlags are the names of the flags that Sizes registers.
var SizeFlags = []string{"cluster-size", "force-field", "repeat"}

// Flag returns the name of a flag that was given and needs the sizes of clusters, or "" if there is
// none.
func (z *Sizes) Flag() string {
	switch {
	case z.ClusterSize != "":
		return "--cluster-size"
	case len(z.Repeat) > 0:
		return "--repeat"
	}
	return ""
}

// Idle adds to i the flags that have no effect with these options.
func (z *Sizes) Idle(i *flags.Idle) {
	i.When(z.ClusterSize == "", "without --cluster-size", "force-field")
}

// Check returns an error if a field is to be added to records that have no fields.
func (z *Sizes) Check(read *record.Options) error {
	if z.ClusterSize != "" && read.Lines {
		return tool.UsageError("--cluster-size adds a field, but records of --lines have no fields")
	}
	return nil
}

// Sink returns the options for a write.Sink, or nil if sizes do not affect the output.
func (z *Sizes) Sink() *write.Sizes {
	if z.Flag() == "" {
		return nil
	}
	s := &write.Sizes{Field: z.ClusterSize, Force: z.Force}
	if len(z.Repeat) > 0 {
		s.Times = z.Repeat.Times
	}
	return s
}

// A fieldName is a flag value that names a field. It implements pflag.Value.
type fieldName string

// Set sets the name. It returns an error if the name is empty or is a path, which would name a field
// of an object.
func (f *fieldName) Set(name string) error {
	if name == "" || strings.ContainsAny(name, ".[]") {
		return fmt.Errorf("invalid name %q: want the name of a field of the record, without . [ ]", name)
	}
	*f = fieldName(name)
	return nil
}

func (f *fieldName) String() string { return string(*f) }

// Type returns the placeholder for the value in usage messages.
func (f *fieldName) Type() string { return "FIELD" }

// Steps say how often a record is written, depending on the size of its cluster. The last step with
// a size that does not exceed the cluster's size applies. If no step applies, the record is written
// once. *Steps implements pflag.Value.
type Steps []Step

// A Step says how often a record is written if its cluster has Size or more records.
type Step struct{ Size, Times int64 }

// Times returns how often a record is written if its cluster has the given size.
func (s Steps) Times(size int64) int64 {
	times := int64(1)
	for _, step := range s {
		if step.Size <= size {
			times = step.Times
		}
	}
	return times
}

// mostTimes is the maximum number of times that a record can be written. A larger number is most
// likely a mistake.
const mostTimes = 1_000_000

// Set parses a list of steps such as 1:1,2:2,100:8.
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

// Type returns the placeholder for the value in usage messages.
func (s *Steps) Type() string { return "LIST" }
