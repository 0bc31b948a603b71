// Recsign is the program of package stage/recsign; man/recsign.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recsign.Command(), tool.OS())) }
