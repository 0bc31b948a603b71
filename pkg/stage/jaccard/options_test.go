package jaccard_test

import (
	"math"
	"testing"

	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/stagetest"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, jaccard.Default,
		[]string{"--records=a,b", "--records", "", "--files"},
		[]string{"--texts=x", "--texts=y", "--inline"},
		[]string{"--sigs=x", "--sigs=y,z", "-t", "0.5", "--containment", "--json"},
		[]string{"--records=-", "--shingle=c5", "--normalize=none", "--field", "a,b", "--field=c[0]", "--id=x y", "-H", "--mem=1M", "-j3", "-k"},
	)
}

func TestCheck(t *testing.T) {
	for name, bad := range map[string]func(*jaccard.Options){
		"nothing":   func(o *jaccard.Options) { o.Data = nil },
		"both":      func(o *jaccard.Options) { o.Sigs = []string{"x"} },
		"texts":     func(o *jaccard.Options) { o.Extracts = []string{"x"} },
		"inline":    func(o *jaccard.Options) { o.Inline = true },
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
			t.Errorf("%s: %+v is no error", name, o)
		}
	}
}
