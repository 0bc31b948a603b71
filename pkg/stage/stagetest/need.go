// Package stagetest helps to test programs: it runs a function as one, and skips tests that need a
// program that is missing. It is apart from package script, which links all of doppel's programs.
package stagetest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// program matches the names of programs that tests run and that may be missing on a machine, but
// not suffixes of file names such as .xz. "make test-deps" installs the programs.
var program = regexp.MustCompile(`(?m)(?:^|[^.\w])(bash|bzip2|chromium|curl|fish|formail|groff|jq|lockfile|maildrop|parallel|procmail|python3|sqlite3|ssh-keygen|xz|zsh|zstd)\b`)

// Need skips a test if a program that the string commands mentions is missing on this machine. The
// argument what names the test in messages. If the environment variable NOT_RUN names a file, the
// skipped test is recorded there, and "make test" prints the file when it ends. If the environment
// variable CI is set, a missing program fails the test instead.
func Need(t *testing.T, what, commands string) {
	t.Helper()
	for _, match := range program.FindAllStringSubmatch(commands, -1) {
		needProgram(t, what, match[1])
	}
	if strings.Contains(commands, "--plan") || strings.Contains(commands, "make -s") { // they run a makefile, which needs bash
		needProgram(t, what, "bash")
	}
}

// Shell returns a command that runs a script, and ends at the first pipe that fails: with bash, in
// which every part of a pipe must succeed, or else with sh. If bash is missing and the script needs
// it, as the makefiles that doppel prints do, Shell skips the test as Need does.
func Shell(t *testing.T, what, script string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		if !strings.Contains(script, "<(") && !strings.Contains(script, "make -s") {
			return exec.Command("sh", "-ec", script)
		}
		needProgram(t, what, "bash")
	}
	return exec.Command("bash", "-eo", "pipefail", "-c", script)
}

func needProgram(t *testing.T, what, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s needs %s", what, name)
	}
	NotRun(t, what, name)
}

// NotRun skips a test for lack of something that this machine has not, and records it as Need does.
func NotRun(t *testing.T, what, lacking string) {
	t.Helper()
	if list := os.Getenv("NOT_RUN"); list != "" {
		f, err := os.OpenFile(list, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := fmt.Fprintf(f, "%s\t%s\n", lacking, what); err != nil {
			t.Fatal(err)
		}
	}
	t.Skipf("%s needs %s", what, lacking)
}
