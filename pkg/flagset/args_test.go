package flagset

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// flagged has flags of several types.
type flagged struct {
	n    int
	yes  bool
	no   bool
	name string
	list []string
	size Size
}

func (f *flagged) Flags(fs *pflag.FlagSet) {
	fs.IntVar(&f.n, "number", f.n, "")
	fs.BoolVar(&f.yes, "yes", f.yes, "")
	fs.BoolVar(&f.no, "no", f.no, "")
	fs.StringVarP(&f.name, "name", "n", f.name, "")
	fs.StringArrayVar(&f.list, "list", f.list, "")
	fs.Var(&f.size, "size", "")
}

func presets() flagged { return flagged{n: 3, no: true, list: []string{"text"}, size: 1 << 20} }

// hostile lists values that a conversion to a single string would split or change.
var hostile = []string{"a,b", "[x]", `"q"`, "line\nfeed", "-o", "", "$t", "'"}

func TestArgs(t *testing.T) {
	for _, c := range []struct {
		change func(*flagged)
		always []string
		want   []string
	}{
		{func(*flagged) {}, nil, nil},
		{func(*flagged) {}, []string{"number"}, []string{"--number=3"}},
		{func(f *flagged) { f.n, f.yes, f.no = 4, true, false }, nil, []string{"--number=4", "--yes", "--no=false"}},
		{func(f *flagged) { f.size = 2 << 30 }, nil, []string{"--size=2G"}},
		{func(f *flagged) { f.list = []string{"a,b", "[x]"} }, nil, []string{"--list=a,b", "--list=[x]"}},
	} {
		o, preset := presets(), presets()
		c.change(&o)
		if d := cmp.Diff(c.want, Args(&o, &preset, c.always...)); d != "" {
			t.Error(d)
		}
	}
}

// TestArgsAreReadBack checks that options with hostile values can be restored from the result of
// Args.
func TestArgsAreReadBack(t *testing.T) {
	o, preset, got := presets(), presets(), presets()
	o.list, o.name = hostile, hostile[3]
	if err := flagsOf(&got).Parse(Args(&o, &preset)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(o, got, cmp.AllowUnexported(flagged{})); d != "" {
		t.Error(d)
	}
}

// TestOffer checks that a flag offered for two structs sets both, and that a flag that is not
// offered is not registered.
func TestOffer(t *testing.T) {
	a, b := presets(), presets()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	Offer(fs, &a, "list", "yes")
	Offer(fs, &b, "list", "size")
	if err := fs.Parse([]string{"--list=a,b", "--list=c", "--yes", "--size=3K"}); err != nil {
		t.Fatal(err)
	}
	want := []string{"a,b", "c"}
	if d := cmp.Diff([][]string{want, want}, [][]string{a.list, b.list}); d != "" || !a.yes || b.yes || b.size != 3<<10 || a.size != 1<<20 {
		t.Errorf("%+v, %+v: %s", a, b, d)
	}
	if fs.Lookup("number") != nil {
		t.Error("a flag is offered that was not named")
	}
}

func TestOfferExcept(t *testing.T) {
	a := presets()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	OfferExcept(fs, &a, "size", "name")
	var names []string
	fs.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if d := cmp.Diff([]string{"list", "no", "number", "yes"}, names); d != "" {
		t.Error(d)
	}
}

// The type both registers the flags of its two fields.
type both struct{ a, b *flagged }

func (x both) Flags(fs *pflag.FlagSet) {
	Offer(fs, x.a)
	Offer(fs, x.b)
}

// TestArgsOfShared checks that Args returns one argument per element of a list even if the flag for
// the list sets options in two structs.
func TestArgsOfShared(t *testing.T) {
	preset := both{&flagged{}, &flagged{}}
	o := both{&flagged{list: []string{"a", "b"}}, &flagged{list: []string{"a", "b"}}}
	if d := cmp.Diff([]string{"--list=a", "--list=b"}, Args(o, preset)); d != "" {
		t.Error(d)
	}
}
