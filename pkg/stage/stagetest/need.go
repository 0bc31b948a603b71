package stagetest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// program matches the programs that tests run, other than a shell and the usual small
// tools. make test-deps installs them.
var program = regexp.MustCompile(`\b(chromium|curl|fish|formail|groff|jq|lockfile|maildrop|parallel|procmail|python3|ssh-keygen|zsh|zstd)\b`)

// Need skips a test that runs a program missing on this machine, and records that in the
// file named by NOT_RUN, which make test shows at its end. Under CI a missing program fails
// the test.
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
