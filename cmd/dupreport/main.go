// Dupreport is the program of package stage/dupreport; man/dupreport.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/dupreport"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupreport.Command(), tool.OS())) }
