package recsign

import (
	"fmt"
	"io"

	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/method"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/simhash"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// A signer signs records, or the parts of their texts. It is not safe for concurrent use.
type signer struct {
	method.Signer
	sketcher sketcher // makes sketches for the next stage in this process; nil to encode signatures as lines
	scheme   []byte
	split    text.Splitting
	least    int              // minimum length of the parts to sign, in bytes
	skip     func(int64) bool // reports whether the record with the given ordinal is skipped; may be nil
	bitsTo   io.Writer        // destination of the bits of simhashes; nil for none
	salter   method.Salter    // salts hashes with the value of --within; nil without --within, or if the method has no salts
	values   bool             // signatures include a hash of the value of --within or --across
	body, id []byte
	value    []byte
	take     func(line.Signature) error // called with each signature, which is valid only during the call
}

// A sketcher makes sketches without encoding them.
type sketcher interface {
	Sketch(body []byte) (slots []uint32, digest uint64)
}

func (o *Options) newSigner(e *tool.Env, scheme method.Scheme) *signer {
	sign, _ := scheme.Signer() // no error, because openRun has read the key that the scheme needs
	s := &signer{Signer: sign, scheme: []byte(scheme.String()), split: o.Split, least: o.Least, skip: e.Records.Skip}
	if o.Records.Within != "" {
		s.salter, _ = sign.(method.Salter)
	}
	s.values = s.salter == nil && (o.Records.Within != "" || o.Records.Across != "")
	if o.Verbose {
		s.bitsTo = e.Stderr
	}
	return s
}

func (s *signer) signRecord(rec *record.Record) (err error) {
	if s.skip != nil && s.skip(rec.Ordinal) {
		return nil
	}
	switch {
	case s.salter != nil:
		s.salter.Salt(rec.Value)
	case s.values:
		s.value = digest.AppendHex(s.value[:0], digest.Hash{}.Sum(rec.Value).Lo, 16)
	}
	if s.split == text.Unsplit {
		return s.signText(rec.ID, rec.Text, rec.Ends)
	}
	s.split.Each(rec.Text, s.least, func(part []byte, start, end int) {
		if s.id = ids.AppendPart(s.id[:0], rec.ID, start, end); err == nil {
			err = s.signText(s.id, part, nil)
		}
	})
	return err
}

func (s *signer) signText(id, body []byte, ends []int) error {
	sig := line.Signature{ID: id, Scheme: s.scheme, Value: s.value}
	if s.sketcher == nil {
		s.body = s.Append(s.body[:0], body, ends)
		sig.Body = s.body
	} else if sig.Sketch, sig.Digest = s.sketcher.Sketch(body); sig.Sketch == nil {
		sig.Body = []byte(schemes.Empty)
	}
	if s.bitsTo != nil { // as the Python script dedup.py does: 128 digits, which are all 0 for an empty text
		sum, _, _ := simhash.ParseHex(string(s.body))
		fmt.Fprintf(s.bitsTo, "%s : %s\n", msg.Printable(string(id)), sum.Binary())
	}
	return s.take(sig)
}
