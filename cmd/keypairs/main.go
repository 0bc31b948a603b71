// Keypairs runs the tool in package stage/keypairs, documented in man/keypairs.1.
package main

import (
	"os"

	"doppel/pkg/stage/keypairs"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(keypairs.Command(), tool.OS())) }
