package exacthash

import (
	"fmt"

	"doppel/pkg/text"
)

// A Normalization defines which texts count as equal: texts that are equal after text
// normalisation, or URLs with the same normalised form. A *Normalization can be the value of a
// command-line flag.
type Normalization struct {
	Text text.Normalization
	URL  bool
}

// byURL is the name of the normalization for URLs.
const byURL = "url"

func (n Normalization) String() string {
	if n.URL {
		return byURL
	}
	return n.Text.String()
}

// Set parses the name of a normalization.
func (n *Normalization) Set(s string) error {
	*n = Normalization{URL: s == byURL}
	if n.URL {
		return nil
	}
	if n.Text.Set(s) != nil {
		return fmt.Errorf("invalid normalization %q: want none, conservative, balanced, aggressive or url", s)
	}
	return nil
}

// Type returns the name of the value's type for the help text of a flag.
func (n *Normalization) Type() string { return n.Text.Type() }
