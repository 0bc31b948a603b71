// Recfilter runs the tool in package stage/recfilter, documented in man/recfilter.1.
package main

import (
	"os"

	"doppel/pkg/stage/recfilter"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recfilter.Command(), tool.OS())) }
