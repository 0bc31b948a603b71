// Recsieve is the program of package stage/recsieve; man/recsieve.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/recsieve"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(recsieve.Command(), tool.OS())) }
