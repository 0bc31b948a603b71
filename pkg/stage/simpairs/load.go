package simpairs

import (
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/simhash"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// signatures are all simhashes of the input, but those of texts without
// content, which pair with nothing.
type signatures struct {
	width  int // of the hashes, in bits
	hashes []simhash.Hash
	ids    ids.List
}

// A batch is what a batch of lines gave.
type batch struct {
	width  int
	hashes []simhash.Hash
	ids    []byte // one after the other
	ends   []int  // of the ids
}

// load reads them. An id that two of them have is an error: a pair would not say of
// which it is.
func load(e *tool.Env, names []string) (*signatures, error) {
	in := &signatures{}
	newParser := func() lines.Worker[batch] { return new(parser) }
	if err := lines.Signatures(e, new(schemes.Guard), names, newParser, in.add); err != nil {
		return in, err
	}
	return in, pairs.Ranks{IDs: &in.ids, Order: in.ids.Order()}.Unique()
}

// A parser parses simhashes. It remembers the last scheme, which most often is
// the only one.
type parser struct {
	scheme string
	bits   int
}

// Take adds a signature to the batch.
func (p *parser) Take(b *batch, s line.Signature) error {
	if err := p.know(s.Scheme); err != nil || string(s.Body) == schemes.Empty {
		return err
	}
	h, width, err := simhash.ParseHex(string(s.Body))
	if err == nil && width != p.bits {
		err = fmt.Errorf("%d bits, but the scheme is %s", width, p.scheme)
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

// know parses a scheme that is not the last one.
func (p *parser) know(scheme []byte) error {
	if string(scheme) == p.scheme {
		return nil
	}
	s, err := simhash.ParseScheme(string(scheme))
	if err == nil {
		p.scheme, p.bits = string(scheme), s.Bits
	}
	return err
}

// add adds a batch.
func (in *signatures) add(b *batch) error {
	in.width = max(in.width, b.width)
	in.hashes = append(in.hashes, b.hashes...)
	start := 0
	for _, end := range b.ends {
		in.ids.Add(b.ids[start:end])
		start = end
	}
	return in.ids.Full()
}
