// Jaccgroup runs the tool in package stage/jaccgroup, documented in man/jaccgroup.1.
package main

import (
	"os"

	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(jaccgroup.Command(), tool.OS())) }
