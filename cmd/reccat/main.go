// Reccat is the program of package stage/reccat; man/reccat.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(reccat.Command(), tool.OS())) }
