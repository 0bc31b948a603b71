// Lshkeys is the program of package stage/lshkeys; man/lshkeys.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(lshkeys.Command(), tool.OS())) }
