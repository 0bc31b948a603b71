package front

import (
	"embed"
	"strings"

	"doppel/pkg/tool"
)

// shells holds a script for each shell. They ask the tools for their flags, by
// --flags, so that they never go out of date.
//
//go:embed completions
var shells embed.FS

// completed are the tools that the scripts complete.
const completed = "doppel recsign lshkeys keypairs lshpairs simpairs jaccard dupgroup keepdrop recuniq recfilter reccat " +
	"fuzzysum fuzzyseen blockhash matchsub"

// completions writes the script of a shell.
func completions() *tool.Command {
	return tool.Adapt(&tool.Old{
		Name:    "doppel completions",
		Summary: "write a script that completes the flags of all tools in a shell",
		Usage:   "bash|zsh|fish",
		Runner: func(e *tool.Env, args []string) error {
			if len(args) != 1 {
				return tool.UsageError("want the name of a shell: bash, zsh or fish")
			}
			script, err := shells.ReadFile("completions/" + args[0])
			if err != nil {
				return tool.UsageError("there are no completions for %q, only for bash, zsh and fish", args[0])
			}
			_, err = strings.NewReplacer("@TOOLS@", completed, "@COMMANDS@", commandNames(args[0])).WriteString(e.Out, string(script))
			return err
		},
	})
}

// commandNames lists the subcommands, as the scripts separate them.
func commandNames(shell string) string {
	var names []string
	for _, c := range commands() {
		names = append(names, strings.TrimPrefix(c().Name, "doppel "))
	}
	if shell == "fish" {
		return strings.Join(names, " ")
	}
	return strings.Join(names, `\n`)
}
