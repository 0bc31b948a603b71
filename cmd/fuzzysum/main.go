// Fuzzysum runs the tool in package stage/fuzzysum, documented in man/fuzzysum.1.
package main

import (
	"os"

	"doppel/pkg/stage/fuzzysum"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(fuzzysum.Command(), tool.OS())) }
