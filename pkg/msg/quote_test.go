package msg

import (
	"os/exec"
	"testing"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"a-b.c": "a-b.c", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "~": "'~'"} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(in)).Output()
		if err != nil || string(out) != in {
			t.Errorf("a shell reads %s as %q", Quote(in), out)
		}
	}
}
