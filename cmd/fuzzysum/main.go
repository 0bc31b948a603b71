// Fuzzysum is the program of package stage/fuzzysum; man/fuzzysum.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/fuzzysum"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(fuzzysum.Command(), tool.OS())) }
