// Doppel runs the tool in package front, documented in man/doppel.1.
package main

import (
	"os"

	"doppel/pkg/front"
	"doppel/pkg/tool"
)

func main() { os.Exit(front.Run(tool.OS())) }
