// Matchsub runs the tool in package stage/matchsub, documented in man/matchsub.1.
package main

import (
	"os"

	"doppel/pkg/stage/matchsub"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(matchsub.Command(), tool.OS())) }
