package simpairs

import (
	"fmt"

	"doppel/pkg/ids"
	"doppel/pkg/signature"
	"doppel/pkg/simhash"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// signatures are all simhashes of the input, but those of texts without
// content, which pair with nothing.
type signatures struct {
	width  int // of the hashes, in bits
	hashes []simhash.Hash
	ids    ids.List
}

// A loaded is what a batch of lines gave.
type loaded struct {
	width  int
	hashes []simhash.Hash
	ids    []byte // one after the other
	ends   []int  // of the ids
}

func load(e *tool.Env, names []string) (*signatures, error) {
	in := &signatures{}
	var guard signature.Guard
	newParser := func() func(*loaded, signature.Line) error { return new(parser).line }
	return in, stages.Signatures(e, &guard, names, newParser, in.add)
}

// A parser parses lines. It remembers the last scheme, which most often is
// the only one.
type parser struct {
	scheme string
	bits   int
}

// line adds a line to the batch.
func (p *parser) line(l *loaded, line signature.Line) error {
	if string(line.Scheme) != p.scheme {
		s, err := simhash.ParseScheme(string(line.Scheme))
		if err != nil {
			return err
		}
		p.scheme, p.bits = string(line.Scheme), s.Bits
	}
	if string(line.Body) == signature.Empty {
		return nil
	}
	h, width, err := simhash.ParseHex(string(line.Body))
	if err == nil && width != p.bits {
		err = fmt.Errorf("%d bits, but the scheme is %s", width, p.scheme)
	}
	if err != nil {
		return err
	}
	l.width = width
	l.hashes = append(l.hashes, h)
	l.ids = append(l.ids, tsv.Unescape(line.ID)...)
	l.ends = append(l.ends, len(l.ids))
	return nil
}

// add adds a batch.
func (in *signatures) add(l *loaded) error {
	in.width = max(in.width, l.width)
	in.hashes = append(in.hashes, l.hashes...)
	start := 0
	for _, end := range l.ends {
		in.ids.Add(l.ids[start:end])
		start = end
	}
	return nil
}
