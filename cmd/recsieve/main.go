// Recsieve runs the tool in package stage/recsieve, documented in man/recsieve.1.
package main

import (
	"os"

	"doppel/pkg/stage/recsieve"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recsieve.Command(), tool.OS())) }
