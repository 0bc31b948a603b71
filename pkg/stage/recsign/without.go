package recsign

import (
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/record/ordinals"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// readDropped returns the ordinals that a list of decisions drops, in a bit each.
func readDropped(e *tool.Env, name string) (dropped ordinals.Set, err error) {
	if name == "" {
		return nil, nil
	}
	err = lines.Each(e, []string{name}, func(text []byte) error {
		var d line.Decision
		if err := d.Parse(text); err != nil || d.Verdict != line.Drop {
			return err
		}
		n, bare := ids.Ordinal(d.ID)
		if !bare {
			return fmt.Errorf("id %q of the list is no ordinal", d.ID)
		}
		dropped.Add(n)
		return nil
	})
	return dropped, err
}
