// Simpairs is the program of package stage/simpairs; man/simpairs.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/simpairs"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(simpairs.Command(), tool.OS())) }
