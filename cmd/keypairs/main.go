// Keypairs is the program of package stage/keypairs; man/keypairs.1 is its page.
package main

import (
	"os"

	"doppel/pkg/stage/keypairs"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(keypairs.Command(), tool.OS())) }
