// Dupreview runs the tool in package stage/dupreview, documented in man/dupreview.1.
package main

import (
	"os"

	"doppel/pkg/stage/dupreview"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(dupreview.Command(), tool.OS())) }
