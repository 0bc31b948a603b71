// Dupgroup runs the tool in package stage/dupgroup, documented in man/dupgroup.1.
package main

import (
	"os"

	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupgroup.Command(), tool.OS())) }
