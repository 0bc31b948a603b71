package cli

import (
	"io"
	"slices"
	"strings"

	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// completeFlag is the first argument with which a completion script calls doppel; see package tool.
const completeFlag = "--complete"

// answerCompletion answers a completion script that asks for the values of the next argument. For
// the first argument, answerCompletion prints the matching commands and tools. For a later
// argument, it runs the command named by the first argument, and that command prints the values. If
// ok is false, answerCompletion has printed nothing, and the caller must run doppel as usual.
func answerCompletion(std tool.Std) (status int, ok bool) {
	if len(std.Args) < 2 || std.Args[0] != completeFlag {
		return 0, false
	}
	word := std.Args[1]
	if len(std.Args) > 2 {
		if c := Find(word); c != nil {
			std.Args = append([]string{completeFlag}, std.Args[2:]...)
			return tool.Run(c, std), true
		}
		return tool.ExitOK, true
	}
	if strings.HasPrefix(word, "-") {
		return 0, false
	}
	var begun strings.Builder
	for _, command := range slices.Concat(commands, toolbox.All) {
		c := command()
		if name := strings.TrimPrefix(c.Name, "doppel "); strings.HasPrefix(name, word) {
			begun.WriteString(name + "\t" + c.Summary + "\n")
		}
	}
	if _, err := io.WriteString(std.Stdout, begun.String()); err != nil {
		return tool.ExitTrouble, true
	}
	return tool.ExitOK, true
}
