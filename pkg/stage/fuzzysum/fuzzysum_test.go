package fuzzysum_test

import (
	"strings"
	"testing"

	"doppel/pkg/stage/fuzzysum"
)

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*fuzzysum.Options){
		"":                     func(o *fuzzysum.Options) { o.MIME, o.Mbox, o.Attachments = true, true, "hash" },
		"words 0: want 1 to 8": func(o *fuzzysum.Options) { o.Words = 0 },
		"min-words -1: want 0": func(o *fuzzysum.Options) { o.MinWords = -1 },
		`--attachments "keep": want skip or hash`:   func(o *fuzzysum.Options) { o.Attachments = "keep" },
		"it cannot be used with --mbox or operands": func(o *fuzzysum.Options) { o.Files, o.Mbox = true, true },
	} {
		o := fuzzysum.Default()
		change(&o)
		if err := o.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
