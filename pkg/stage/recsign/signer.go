package recsign

import (
	"fmt"
	"io"

	"doppel/pkg/line"
	"doppel/pkg/method"
	"doppel/pkg/record"
	"doppel/pkg/simhash"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A signer writes the lines of records in one goroutine.
type signer struct {
	method.Signer
	scheme []byte
	format line.Format
	body   []byte
	bitsTo io.Writer // where the bits of simhashes are printed, or nil
}

func newSigner(e *tool.Env, scheme method.Scheme, verbose bool) *signer {
	sign, _ := scheme.Signer() // fails only without a key
	s := &signer{Signer: sign, scheme: []byte(scheme.String()), format: line.Format{JSON: e.JSON}}
	if verbose {
		s.bitsTo = e.Stderr
	}
	return s
}

// line appends the line of a record.
func (s *signer) line(dst []byte, rec *record.Record) ([]byte, error) {
	s.body = s.Append(s.body[:0], rec.Text, rec.Ends)
	if s.bitsTo != nil {
		s.printBits(rec.ID)
	}
	return line.Signature{ID: rec.ID, Scheme: s.scheme, Body: s.body}.Append(dst, s.format), nil
}

// printBits prints a simhash as dedup.py does: 128 digits, all 0 for an empty
// text.
func (s *signer) printBits(id []byte) {
	sum, _, _ := simhash.ParseHex(string(s.body))
	fmt.Fprintf(s.bitsTo, "%s : %s\n", wording.Printable(string(id)), sum.Binary())
}
