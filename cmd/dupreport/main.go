// Dupreport runs the tool in package stage/dupreport, documented in man/dupreport.1.
package main

import (
	"os"

	"doppel/pkg/stage/dupreport"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupreport.Command(), tool.OS())) }
