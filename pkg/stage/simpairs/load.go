package simpairs

import (
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/simhash"
)

// signatures holds the simhashes of the input. Texts without content are left out, since they
// are never paired.
type signatures struct {
	width  int // of the hashes, in bits
	hashes []simhash.Hash
	ids    ids.List
}

// A batch holds the signatures of a batch of lines.
type batch struct {
	width  int
	hashes []simhash.Hash
	ids    []byte // concatenated
	ends   []int  // ends of the ids
}

// A parser parses simhashes. It remembers the last scheme, which is usually the only one.
type parser struct {
	scheme string
	bits   int
}

// Take adds a signature to the batch.
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
