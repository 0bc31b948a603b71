package stages

import (
	"os"

	"doppel/pkg/exact"
	"doppel/pkg/tool"
)

// ReadKey reads the file of --keyed, or returns nil where none is named.
func ReadKey(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	key, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if _, err := exact.NewKeyed(key); err != nil {
		return nil, tool.UsageError("%s: %v", name, err)
	}
	return key, nil
}
