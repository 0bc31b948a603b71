// Dupgroup is the program of package stage/dupgroup; man/dupgroup.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupgroup.Command(), tool.OS())) }
