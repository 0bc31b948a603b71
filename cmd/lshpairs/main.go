// Lshpairs is the program of package stage/lshpairs; man/lshpairs.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(lshpairs.Command(), tool.OS())) }
