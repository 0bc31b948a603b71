// Doppel is the program of package front; man/doppel.1 is its page.
package main

import (
	"os"

	"doppel/pkg/front"
	"doppel/pkg/tool"
)

func main() { os.Exit(front.Run(tool.OS())) }
