package stagetest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// program finds the names of the programs of the system, beyond a shell and the
// usual small ones, that tests run. make test-deps installs them.
var program = regexp.MustCompile(`\b(chromium|fish|formail|groff|jq|lockfile|maildrop|parallel|procmail|python3|zsh|zstd)\b`)

// Need skips a test that runs commands of which this machine lacks a program,
// and notes that in the file that NOT_RUN names, which make test shows at its
// end. Under CI a missing program fails.
func Need(t *testing.T, what, commands string) {
	t.Helper()
	for _, name := range program.FindAllString(commands, -1) {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CI") != "" {
			t.Fatalf("%s needs %s", what, name)
		}
		if err := note(fmt.Sprintf("%s\t%s\n", name, what)); err != nil {
			t.Fatal(err)
		}
		t.Skipf("%s needs %s", what, name)
	}
}

// note appends a line to the file that NOT_RUN names, if it names one.
func note(line string) error {
	name := os.Getenv("NOT_RUN")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(line)
	return err
}
