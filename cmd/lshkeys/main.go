// Lshkeys runs the tool in package stage/lshkeys, documented in man/lshkeys.1.
package main

import (
	"os"

	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(lshkeys.Command(), tool.OS())) }
