package recsign

import (
	"strings"

	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// A method makes the signers of one scheme.
type method struct {
	scheme string
	new    func() signer // one for each thread
}

// A signer appends the signature of a text to dst, or signature.Empty.
type signer func(dst []byte, rec *record.Record) []byte

var methods = map[string]func(*options) (*method, error){
	"minhash": newMinhash,
	"simhash": newSimhash,
	"exact":   newExact,
	"sample":  newSample,
}

// fileInput makes each file a record, named by operands or on standard input.
func fileInput(e *tool.Env, args []string) record.Input {
	e.Records.Names, e.Records.Null = true, e.Null
	e.Records.SkipDirs = len(args) == 0
	in := e.Input(nil)
	if len(args) > 0 {
		e.Records.Null = true
		in.Stdin = strings.NewReader(strings.Join(args, "\x00") + "\x00")
	}
	return in
}

// signing returns the function that writes the line of a record.
func signing(e *tool.Env, m *method) func([]byte, *record.Record) ([]byte, error) {
	sign := m.new()
	enc := tsv.Encoder{Stream: tsv.Signatures, JSON: e.JSON}
	var body []byte
	return func(dst []byte, rec *record.Record) ([]byte, error) {
		enc.Begin(dst)
		enc.Bytes(rec.ID)
		enc.Word(m.scheme)
		body = sign(body[:0], rec)
		enc.Column(body)
		return enc.End(), nil
	}
}
