package jaccard_test

import (
	"math"
	"testing"

	"doppel/pkg/stage/jaccard"
	"doppel/pkg/text"
)

func TestCheck(t *testing.T) {
	for name, bad := range map[string]func(*jaccard.Options){
		"nothing":   func(o *jaccard.Options) { o.Data = nil },
		"both":      func(o *jaccard.Options) { o.Sigs = []string{"x"} },
		"texts":     func(o *jaccard.Options) { o.Extracts = []string{"x"} },
		"old files": func(o *jaccard.Options) { o.Files, o.Against = true, []string{"x"} },
		"parts":     func(o *jaccard.Options) { o.Data, o.Sigs, o.Split = nil, []string{"x"}, text.ByLine },
		"above":     func(o *jaccard.Options) { o.Threshold = 1.1 },
		"below":     func(o *jaccard.Options) { o.Threshold = -.1 },
		"no number": func(o *jaccard.Options) { o.Threshold = math.NaN() },
	} {
		o := jaccard.Default()
		o.Data = []string{"x"}
		if err := o.Check(); err != nil {
			t.Fatal(err)
		}
		if bad(&o); o.Check() == nil {
			t.Errorf("%s: %+v: no error", name, o)
		}
	}
}
