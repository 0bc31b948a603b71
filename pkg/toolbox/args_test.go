package toolbox

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/tool"
)

// hostile lists strings that a list, a shell or a flag parser might misread.
var hostile = []string{"a,b", "-x", `c "d'`, "[e]", ""}

// words holds a valid value for each flag that does not accept every string.
var words = map[string]string{
	"shingle": "c5", "normalize": "conservative", "rank": "stars:desc", "split": "w50", "snap": "line", "policy": "components",
	"min-left": "30%", "repeat": "1:1,2:3", "cluster-size": hostile[2], "encoding": "latin1", "missing": "keep", "quote": "none",
	"separator": ";",
}

// changed returns valid values of a flag that differ from the flag's default.
func changed(t *testing.T, tool string, f *pflag.Flag) []string {
	switch kind := f.Value.Type(); kind {
	case "bool":
		return []string{strconv.FormatBool(f.DefValue != "true")}
	case "float64":
		return []string{"0.30000000000000004"}
	case "int", "int64", "intSlice":
		return []string{"7"}
	case "uint64":
		return []string{"9223372036854775808"}
	case "N":
		return []string{"7"}
	case "SIZE":
		return []string{"3M"}
	case "string":
		return hostile[2:3]
	case "stringArray":
		return hostile
	case "stringSlice": // use words without commas, because commas separate the words
		return []string{"x", "y"}
	}
	if v, ok := words[f.Name]; ok {
		return []string{v}
	}
	t.Errorf("%s --%s: no value of the type %q is known to this test", tool, f.Name, f.Value.Type())
	return nil
}

func flagsOf(o tool.Options) *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Flags(fs)
	return fs
}

// TestArgs checks that the options of each tool can be passed on as arguments: parsing the
// arguments restores every flag that was set, and default options need no arguments.
func TestArgs(t *testing.T) {
	for _, command := range All {
		name, set := command().Name, command().Options
		fs := flagsOf(set)
		fs.VisitAll(func(f *pflag.Flag) {
			for _, v := range changed(t, name, f) {
				if err := fs.Set(f.Name, v); err != nil {
					t.Errorf("%s --%s=%s: %v", name, f.Name, v, err)
				}
			}
		})
		args, got := flagset.Args(set, command().Options), command().Options
		if err := flagsOf(got).Parse(args); err != nil || !reflect.DeepEqual(set, got) {
			t.Errorf("%s %q: %v, makes %+v, not %+v", name, args, err, got, set)
		}
		if twice := flagset.Args(got, command().Options); !slices.Equal(args, twice) {
			t.Errorf("%s %q gives back %q", name, args, twice)
		}
		fs.VisitAll(func(f *pflag.Flag) {
			if !slices.ContainsFunc(args, func(arg string) bool {
				return arg == "--"+f.Name || len(arg) > len(f.Name)+2 && arg[:len(f.Name)+3] == "--"+f.Name+"="
			}) {
				t.Errorf("%s: --%s is not handed on by %q", name, f.Name, args)
			}
		})
		if args := flagset.Args(command().Options, command().Options); len(args) > 0 {
			t.Errorf("%s: the default options are written %q", name, args)
		}
	}
}
