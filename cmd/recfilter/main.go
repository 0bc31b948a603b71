// Recfilter is the program of package stage/recfilter; man/recfilter.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/recfilter"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recfilter.Command(), tool.OS())) }
