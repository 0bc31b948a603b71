// Dupspan is the program of package stage/dupspan; man/dupspan.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/dupspan"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupspan.Command(), tool.OS())) }
