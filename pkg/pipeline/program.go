package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"

	"doppel/pkg/toolbox"
)

// program returns the command that runs a tool: the program beside this one, or
// that on PATH, or this one itself, which is all tools.
func program(name string) []string {
	self, err := os.Executable()
	if err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); exists(beside) {
			return []string{beside}
		}
	}
	if _, missing := exec.LookPath(name); missing != nil && err == nil && toolbox.Find(name) != nil {
		return []string{self, name}
	}
	return []string{name}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// shellProgram returns the command for a shell: the bare name if a shell would
// find the same program by it.
func shellProgram(name string) []string {
	argv := program(name)
	if found, err := exec.LookPath(name); err == nil && (argv[0] == name || same(found, argv[0])) {
		return []string{name}
	}
	return argv
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
