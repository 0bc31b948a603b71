package dupspan_test

import (
	"math"
	"strings"
	"testing"

	"doppel/pkg/stage/dupspan"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  func(*dupspan.Options)
		want string // part of the expected error; "" for none
	}{
		{func(*dupspan.Options) {}, ""},
		{func(o *dupspan.Options) { o.Data = nil }, "--records FILE is required"},
		{func(o *dupspan.Options) { o.Data = []string{"a", "-"} }, "want a file, because it is read more than once"},
		{func(o *dupspan.Options) { o.Against = []string{"-"} }, "want a file, because it is read more than once"},
		{func(o *dupspan.Options) { o.Length = "30" }, "--length and --normalize need --scan"},
		{func(o *dupspan.Options) { o.Normalize = "balanced" }, "--length and --normalize need --scan"},
		{func(o *dupspan.Options) { o.Against = []string{"a"} }, "--against needs --scan"},
		{func(o *dupspan.Options) { o.Scan, o.Length, o.Normalize = true, "w30", "conservative" }, ""},
		{func(o *dupspan.Options) { o.Scan, o.Length = true, "c30" }, `--length: invalid length "c30"`},
		{func(o *dupspan.Options) { o.Scan, o.Normalize = true, "balanced" }, "--normalize needs a --length in words"},
		{func(o *dupspan.Options) { o.Scan, o.Against = true, []string{"a"} }, ""},
		{func(o *dupspan.Options) { o.Scan, o.Against, o.Copies = true, []string{"a"}, 2 }, "--against drops every passage of the old records"},
		{func(o *dupspan.Options) { o.Scan, o.Against, o.Keep = true, []string{"a"}, "none" }, "--against drops every passage of the old records"},
		{func(o *dupspan.Options) { o.Keep = "last" }, `--keep "last": want first or none`},
		{func(o *dupspan.Options) { o.Copies = 0 }, "--copies 0: want 1 or more"},
		{func(o *dupspan.Options) { o.Bridge = 1.5 }, "bridge 1.5: want 0 to 1"},
		{func(o *dupspan.Options) { o.Bridge = math.NaN() }, "bridge NaN"},
	} {
		o := dupspan.Default()
		o.Data = []string{"data"}
		c.set(&o)
		switch err := o.Check(); {
		case (err == nil) != (c.want == ""):
			t.Errorf("%q: %v", c.want, err)
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
