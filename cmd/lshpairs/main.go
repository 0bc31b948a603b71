// Lshpairs runs the tool in package stage/lshpairs, documented in man/lshpairs.1.
package main

import (
	"os"

	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(lshpairs.Command(), tool.OS())) }
