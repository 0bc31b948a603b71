// Doppel runs the tool in package cli, documented in man/doppel.1.
package main

import (
	"os"

	"doppel/pkg/cli"
	"doppel/pkg/tool"
)

func main() { os.Exit(cli.Run(tool.OS())) }
