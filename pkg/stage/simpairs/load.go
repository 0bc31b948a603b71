package simpairs

import (
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/simhash"
)

// signatures holds the simhashes of the input, except those of empty texts, which are never paired.
type signatures struct {
	width  int // width of the hashes, in bits
	hashes []simhash.Hash
	ids    ids.List
}

// A batch holds the simhashes in a batch of lines.
type batch struct {
	width  int
	hashes []simhash.Hash
	ids    []byte // concatenated ids
	ends   []int  // where each id ends in the concatenation
}

// A parser parses simhashes. It caches the last scheme, because usually all signatures have the
// same scheme.
type parser struct {
	scheme string
	bits   int
}

// Take parses a signature and adds it to the batch, unless its text is empty.
func (p *parser) Take(b *batch, s line.Signature) error {
	if string(s.Scheme) != p.scheme {
		scheme, err := simhash.ParseScheme(string(s.Scheme))
		if err != nil {
			return err
		}
		p.scheme, p.bits = string(s.Scheme), scheme.Bits
	}
	if string(s.Body) == schemes.Empty {
		return nil
	}
	h, width, err := simhash.ParseHex(string(s.Body))
	if err == nil && width != p.bits {
		err = fmt.Errorf("signature of %d bits, but the scheme is %s", width, p.scheme)
	}
	if err != nil {
		return err
	}
	b.width = width
	b.hashes = append(b.hashes, h)
	b.ids = append(b.ids, s.ID...)
	b.ends = append(b.ends, len(b.ids))
	return nil
}

func (in *signatures) addBatch(b *batch) error {
	in.width = max(in.width, b.width)
	in.hashes = append(in.hashes, b.hashes...)
	start := 0
	for _, end := range b.ends {
		in.ids.Add(b.ids[start:end])
		start = end
	}
	return in.ids.Full()
}
