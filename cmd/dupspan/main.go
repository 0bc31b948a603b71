// Dupspan runs the tool in package stage/dupspan, documented in man/dupspan.1.
package main

import (
	"os"

	"doppel/pkg/stage/dupspan"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupspan.Command(), tool.OS())) }
