package blockhash_test

import (
	"strings"
	"testing"

	"doppel/pkg/stage/blockhash"
)

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*blockhash.Options){
		"":              func(o *blockhash.Options) { o.Blocks = 1 << 40 },
		"--blocks 0":    func(o *blockhash.Options) { o.Blocks = 0 },
		"--blocks 4611": func(o *blockhash.Options) { o.Blocks = 1<<62 - 1 },
		"--full and --seed-compat cannot be used":             func(o *blockhash.Options) { o.Full, o.Published = true, true },
		"--seed-compat needs --blocks 3":                      func(o *blockhash.Options) { o.Published, o.Blocks = true, 4 },
		`--salt: invalid salt "colour"`:                       func(o *blockhash.Options) { o.Salts = []string{"ext", "colour"} },
		`--hardlinks "never": want`:                           func(o *blockhash.Options) { o.Hardlinks = "never" },
		`--decimal "hex": want`:                               func(o *blockhash.Options) { o.Decimal = "hex" },
		"--salt-column 0: want 1 or more":                     func(o *blockhash.Options) { o.Columns = []int{2, 0} },
		"--bare and --hardlinks mark cannot be used together": func(o *blockhash.Options) { o.Bare, o.Hardlinks = true, "mark" },
	} {
		o := blockhash.Default()
		change(&o)
		if err := o.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
