// Fuzzyseen is the program of package stage/fuzzyseen; man/fuzzyseen.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/fuzzyseen"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(fuzzyseen.Command(), tool.OS())) }
