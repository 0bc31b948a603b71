// Recsign runs the tool in package stage/recsign, documented in man/recsign.1.
package main

import (
	"os"

	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recsign.Command(), tool.OS())) }
