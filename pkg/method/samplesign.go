package method

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/sample"
	"doppel/pkg/text"
)

// Signer returns what takes samples.
func (s sampleScheme) Signer() (Signer, error) {
	sampler, err := sample.New(s.Params)
	if err != nil {
		return nil, err
	}
	words := text.Options{Shingle: text.Shingling{Unit: text.Words, N: 1}, Normalize: s.how}
	t := sampleSigner{scheme: s, sampler: sampler, shingler: text.NewShingler(words)}
	if s.Unit == sample.Words {
		return &wordSampler{sampleSigner: t}, nil
	}
	return &t, nil
}

// A sampleSigner takes samples of bytes or characters.
type sampleSigner struct {
	scheme   sampleScheme
	sampler  *sample.Sampler
	shingler *text.Shingler
	set      []uint64
	digest   xxhash.Digest // of what is sampled: it tells texts apart that have equal sets
}

func (s *sampleSigner) Append(dst, body []byte, _ []int) []byte {
	s.digest.Reset()
	s.set = s.sampler.Append(s.set[:0], func(yield func([]byte) bool) {
		for part := range s.shingler.Parts(body) {
			s.digest.Write(part)
			if !yield(part) {
				return
			}
		}
	})
	return s.scheme.AppendEncoded(dst, s.set, s.digest.Sum64())
}

// A wordSampler takes samples of words.
type wordSampler struct{ sampleSigner }

func (s *wordSampler) Append(dst, body []byte, _ []int) []byte {
	s.digest.Reset()
	s.set = s.sampler.AppendValues(s.set[:0], func(yield func([]uint64) bool) {
		var word [8]byte
		for part := range s.shingler.Each(body) {
			for _, v := range part {
				binary.LittleEndian.PutUint64(word[:], v)
				s.digest.Write(word[:])
			}
			if !yield(part) {
				return
			}
		}
	})
	return s.scheme.AppendEncoded(dst, s.set, s.digest.Sum64())
}
