// Recuniq runs the tool in package stage/recuniq, documented in man/recuniq.1.
package main

import (
	"os"

	"doppel/pkg/stage/recuniq"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recuniq.Command(), tool.OS())) }
