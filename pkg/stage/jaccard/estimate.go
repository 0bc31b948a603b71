package jaccard

import (
	"bytes"
	"fmt"
	"strings"

	"doppel/pkg/line"
	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// estimate scores pairs by their signatures.
func estimate(e *tool.Env, o *Options, p *pairs) error {
	bodies := make([][]byte, p.ids.Len())
	var guard line.Guard
	if err := readBodies(e, o, p, &guard, bodies); err != nil {
		return err
	}
	if err := missing(p, func(i uint32) bool { return bodies[i] != nil }, "signatures"); err != nil {
		return err
	}
	if lsh.IsSample(guard.Scheme) {
		return estimateSamples(e, o, p, guard.Scheme, bodies)
	}
	if o.Containment {
		return fmt.Errorf("scheme %q gives no estimate of containment", guard.Scheme)
	}
	similarity, err := estimator(guard.Scheme)
	if err != nil {
		return err
	}
	return p.each(e, func() func([]byte, uint32, uint32) ([]byte, error) {
		enc := tsv.Encoder{Stream: tsv.Estimated, JSON: e.JSON}
		return func(dst []byte, a, b uint32) ([]byte, error) {
			score := similarity(bodies[a], bodies[b])
			if score < o.Threshold {
				return dst, nil
			}
			enc.Begin(dst)
			enc.Bytes(p.ids.Append(nil, int(a)))
			enc.Bytes(p.ids.Append(nil, int(b)))
			enc.Float(score)
			return enc.End(), nil
		}
	})
}

// bodiesOfBatch are the wanted bodies of a batch of signatures.
type bodiesOfBatch struct {
	numbers []uint32
	bodies  [][]byte
}

// readBodies keeps the body of every signature that a pair names.
func readBodies(e *tool.Env, o *Options, p *pairs, guard *line.Guard, bodies [][]byte) error {
	newWorker := func() lines.Worker[bodiesOfBatch] { return wanted{p} }
	return lines.Signatures(e, guard, o.Sigs, newWorker, func(b *bodiesOfBatch) error {
		for i, n := range b.numbers {
			bodies[n] = b.bodies[i]
		}
		return nil
	})
}

// wanted takes the signatures that a pair names.
type wanted struct{ *pairs }

// Take adds the body of a signature.
func (p wanted) Take(b *bodiesOfBatch, s line.Signature) error {
	n, ok := p.ids.Lookup(s.ID)
	if !ok {
		return nil
	}
	body, err := decoded(s)
	b.numbers, b.bodies = append(b.numbers, n), append(b.bodies, body)
	return err
}

// decoded returns a body that can be compared slot by slot.
func decoded(l line.Signature) ([]byte, error) {
	if !strings.HasPrefix(string(l.Scheme), "minhash/") || string(l.Body) == line.Empty {
		return bytes.Clone(l.Body), nil
	}
	s, err := minhash.ParseScheme(string(l.Scheme))
	if err != nil {
		return nil, err
	}
	return (&minhash.Codec{K: s.Slots, B: s.Bits}).Raw(nil, l.Body)
}

// estimator returns the function that compares two bodies of the scheme.
func estimator(scheme string) (func(a, b []byte) float64, error) {
	switch method, _, _ := strings.Cut(scheme, "/"); method {
	case "minhash":
		s, err := minhash.ParseScheme(scheme)
		codec := &minhash.Codec{K: s.Slots, B: s.Bits}
		return func(a, b []byte) float64 {
			if len(a) != len(b) {
				return 0 // one text is empty
			}
			return codec.Compare(a, b)
		}, err
	case "exact", "":
		return func(a, b []byte) float64 {
			if bytes.Equal(a, b) && string(a) != line.Empty {
				return 1
			}
			return 0
		}, nil
	}
	return nil, fmt.Errorf("scheme %q gives no estimate", scheme)
}
