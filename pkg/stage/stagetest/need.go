package stagetest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// program matches the names of programs that tests run and that may be missing on a machine.
// "make test-deps" installs them.
var program = regexp.MustCompile(`\b(chromium|curl|fish|formail|groff|jq|lockfile|maildrop|parallel|procmail|python3|ssh-keygen|zsh|zstd)\b`)

// Need skips a test if a program that the string commands mentions is missing on this machine. The
// argument what names the test in messages. If the environment variable NOT_RUN names a file, the
// skipped test is recorded there, and "make test" prints the file when it ends. If the environment
// variable CI is set, a missing program fails the test instead.
func Need(t *testing.T, what, commands string) {
	t.Helper()
	for _, name := range program.FindAllString(commands, -1) {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CI") != "" {
			t.Fatalf("%s needs %s", what, name)
		}
		if list := os.Getenv("NOT_RUN"); list != "" {
			f, err := os.OpenFile(list, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := fmt.Fprintf(f, "%s\t%s\n", name, what); err != nil {
				t.Fatal(err)
			}
		}
		t.Skipf("%s needs %s", what, name)
	}
}
