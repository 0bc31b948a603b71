package cmd_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outputFlags lists the flags of the commands below that name a file to be written. --into names a
// Maildir, to which messages are only added.
var outputFlags = strings.Fields("output report common cache into")

// TestOutputsAmongInputs names an input as each output of each command that reads whole files,
// mailboxes or records that it does not write, and checks that the command refuses it and changes
// nothing. The words c, t/a and list are a file, a file below the directory t, and a list of both;
// hard and link are other names of them.
func TestOutputsAmongInputs(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"doppel shared": {
			"-o c c d", "-o hard c d", "-o link t c", "-o t/a t", "-k -o t/a t", "--scores -o t/a t", "--summary -o d --base d c t",
			"-o t/a --base t c d", "-o c < list", "-o list < list", "--df 1 --common c c d", "--df 1 --common t/a t",
		},
		"doppel text":  {"> c c d", "> c < list"},
		"doppel files": {"-o c c d", "-o t/a t", "-o link t", "-o t/a --reference t c", "-o c < list", "-o list < list", "--cache t/a t", "--cache c c d", "> c c d"},
		"doppel dirs":  {"-o t/a t", "-o link t", "--cache t/a t"},
		"doppel mail":  {"-o box box box2", "-o box2 box box2", "--into box --yes box box2"},
		"doppel groups": {
			"-o r.jsonl r.jsonl", "--list dec -o dec r.jsonl", "--list dec -o r.jsonl r.jsonl",
		},
		"blockhash": {"-o c c d", "-o hard c d", "-k -o c c d", "-r -o t/a t", "-r -o link t", "-o c < list", "-o list < list", "> c c d"},
		"fuzzysum":  {"-o c c d", "--mime -o c c d", "--files -o c < list", "--mime --files -o c < list", "--files -o list < list", "--mbox -o box box"},
		"matchsub":  {"-o c < pairs", "--base t -o t/a < pairs"},
		"recsign":   {"--files -o c c d", "--files -o link t/a d", "--files -o c < list", "--files -o list < list"},
	} {
		for _, line := range lines {
			t.Run(name+" "+line, func(t *testing.T) {
				dir := replacedTree(t)
				before := snapshot(t, dir)
				r := shell(t, dir, name+" "+line)
				after := snapshot(t, dir)
				if line[0] == '>' || strings.Contains(line, " > ") {
					before, after = nil, nil // the shell has emptied the file
				}
				if d := cmp.Diff(before, after); d != "" || r.status != 2 || r.stderr == "" {
					t.Errorf("status %d, stderr %q: %s", r.status, r.stderr, d)
				}
			})
		}
		for _, f := range flagsOf(name) {
			tried := slices.ContainsFunc(lines, func(line string) bool {
				return strings.Contains(line, "--"+f[0]+" ") || f[0] == "output" && strings.Contains(line, "-o ")
			})
			if slices.Contains(outputFlags, f[0]) && !tried && !(f[0] == "common" && name != "doppel shared") {
				t.Errorf("%s: no line has --%s", name, f[0])
			}
		}
	}
}

// replacedTree returns a directory with the inputs of TestOutputsAmongInputs.
func replacedTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "t"), 0o755))
	text := strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 5)
	letter := "From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nSubject: seven\n\n" + text + "\n"
	for name, text := range map[string]string{
		"t/a": text, "t/b": text, "c": text, "d": "x\n" + text, "list": "t/a\nc\nd\n", "pairs": "c\td\n", "box": letter, "box2": letter,
		"r.jsonl": "{\"text\":\"a b c d\"}\n{\"text\":\"a b c d\"}\n", "dec": "keep\t0\t0\t1.0000\tbest\ndrop\t1\t0\t1.0000\tnear\n",
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	must(t, os.Link(filepath.Join(dir, "c"), filepath.Join(dir, "hard")))
	must(t, os.Symlink("t/a", filepath.Join(dir, "link")))
	return dir
}
