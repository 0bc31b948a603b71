package blockhash_test

import (
	"strings"
	"testing"

	"doppel/pkg/stage/blockhash"
	"doppel/pkg/stage/stagetest"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, blockhash.Default,
		[]string{"-B", "1K", "--blocks=5", "--hash=highway", "--key", "a,b", "--salt=mtime,ext", "--salt=name", "--empty"},
		[]string{"--full", "--bare", "--hardlinks=once", "-rL", "-0", "--json", "-j3", "-o", "-x", "--progress"},
		[]string{"--seed-compat", "--no-progress"},
		[]string{"--blocks=1", "--offset", "1K", "--decimal=signed", "--salt-column", "1,3"},
	)
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*blockhash.Options){
		"":                                 func(o *blockhash.Options) { o.Blocks = 1 << 40 },
		"--blocks 0":                       func(o *blockhash.Options) { o.Blocks = 0 },
		"--blocks 4611":                    func(o *blockhash.Options) { o.Blocks = 1<<62 - 1 },
		"--full and --seed-compat exclude": func(o *blockhash.Options) { o.Full, o.Published = true, true },
		"--seed-compat has 3 blocks":       func(o *blockhash.Options) { o.Published, o.Blocks = true, 4 },
		`--salt: no salt "colour"`:         func(o *blockhash.Options) { o.Salts = []string{"ext", "colour"} },
		`--hardlinks "never": want`:        func(o *blockhash.Options) { o.Hardlinks = "never" },
		"--offset needs --blocks 1":        func(o *blockhash.Options) { o.Offset = 1 },
		`--decimal "hex": want`:            func(o *blockhash.Options) { o.Decimal = "hex" },
		"--salt-column 0: columns":         func(o *blockhash.Options) { o.Columns = []int{2, 0} },
		"--bare leaves no place":           func(o *blockhash.Options) { o.Bare, o.Hardlinks = true, "mark" },
	} {
		o := blockhash.Default()
		change(&o)
		if err := o.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
