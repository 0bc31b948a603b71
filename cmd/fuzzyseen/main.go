// Fuzzyseen runs the tool in package stage/fuzzyseen, documented in man/fuzzyseen.1.
package main

import (
	"os"

	"doppel/pkg/stage/fuzzyseen"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(fuzzyseen.Command(), tool.OS())) }
