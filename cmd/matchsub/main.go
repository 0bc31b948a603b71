// Matchsub is the program of package stage/matchsub; man/matchsub.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/matchsub"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(matchsub.Command(), tool.OS())) }
