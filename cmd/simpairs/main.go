// Simpairs runs the tool in package stage/simpairs, documented in man/simpairs.1.
package main

import (
	"os"

	"doppel/pkg/stage/simpairs"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(simpairs.Command(), tool.OS())) }
