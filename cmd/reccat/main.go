// Reccat runs the tool in package stage/reccat, documented in man/reccat.1.
package main

import (
	"os"

	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(reccat.Command(), tool.OS())) }
