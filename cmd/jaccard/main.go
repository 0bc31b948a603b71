// Jaccard is the program of package stage/jaccard; man/jaccard.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/jaccard"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(jaccard.Command(), tool.OS())) }
