package msg

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Program returns the words of the command that runs a tool: the program next to this one, the
// program on PATH, or this program, which includes all tools. The result is a bare name if a shell
// finds the same program under that name.
func Program(name string) []string {
	onPath, missing := exec.LookPath(name)
	self, err := os.Executable()
	if err != nil {
		return []string{name}
	}
	beside := filepath.Join(filepath.Dir(self), name)
	if _, err := os.Stat(beside); err == nil {
		return []string{shortest(name, onPath, beside)}
	}
	if missing != nil {
		return []string{self, name}
	}
	return []string{name}
}

// shortest returns the name of a program if a shell finds the program under it at the path onPath,
// and otherwise the program's path.
func shortest(name, onPath, path string) string {
	found, err := os.Stat(onPath)
	own, owned := os.Stat(path)
	if err == nil && owned == nil && os.SameFile(found, own) {
		return name
	}
	return path
}

// inBraces matches the name of a tool in braces.
var inBraces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z]+)\}`) })

// Tools replaces the names of tools in braces with the commands that run the tools, as shell text.
// Users who have only the program doppel get commands of doppel.
func Tools(text string) string {
	return inBraces().ReplaceAllStringFunc(text, func(name string) string { return toolInShell(name[1 : len(name)-1]) })
}

func toolInShell(name string) string {
	words := Program(name)
	base := filepath.Base(words[0])
	if len(words) > 1 && !strings.HasPrefix(base, "doppel") {
		return name // a program of one tool does not include the others
	}
	onPath, _ := exec.LookPath(base)
	return Command(Quote(shortest(base, onPath, words[0])), words[1:]...)
}
