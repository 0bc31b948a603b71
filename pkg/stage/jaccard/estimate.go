package jaccard

import (
	"bytes"
	"fmt"
	"strings"

	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	"doppel/pkg/signature"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// estimate scores pairs by their signatures.
func estimate(e *tool.Env, o *options, p *pairs) error {
	bodies := make([][]byte, p.ids.Len())
	var guard signature.Guard
	if err := readBodies(e, o, p, &guard, bodies); err != nil {
		return err
	}
	if err := missing(p, func(i uint32) bool { return bodies[i] != nil }, "signatures"); err != nil {
		return err
	}
	if lsh.IsSample(guard.Scheme) {
		return estimateSamples(e, o, p, guard.Scheme, bodies)
	}
	if o.containment {
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
			if score < o.threshold {
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

// A signed is what a batch of signatures holds of the wanted ones.
type signed struct {
	numbers []uint32
	bodies  [][]byte
}

// readBodies keeps the body of every signature that a pair names.
func readBodies(e *tool.Env, o *options, p *pairs, guard *signature.Guard, bodies [][]byte) error {
	return stages.Signatures(e, guard, o.sigs, func() func(*signed, signature.Line) error {
		return func(s *signed, l signature.Line) error {
			if n, ok := p.ids.Lookup(tsv.Unescape(l.ID)); ok {
				body, err := decoded(l)
				s.numbers, s.bodies = append(s.numbers, n), append(s.bodies, body)
				return err
			}
			return nil
		}
	}, func(s *signed) error {
		for i, n := range s.numbers {
			bodies[n] = s.bodies[i]
		}
		return nil
	})
}

// decoded returns a body that can be compared slot by slot.
func decoded(l signature.Line) ([]byte, error) {
	if !strings.HasPrefix(string(l.Scheme), "minhash/") || string(l.Body) == signature.Empty {
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
			if bytes.Equal(a, b) && string(a) != signature.Empty {
				return 1
			}
			return 0
		}, nil
	}
	return nil, fmt.Errorf("scheme %q gives no estimate", scheme)
}
