// Jaccard runs the tool in package stage/jaccard, documented in man/jaccard.1.
package main

import (
	"os"

	"doppel/pkg/stage/jaccard"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(jaccard.Command(), tool.OS())) }
