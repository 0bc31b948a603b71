package method

import (
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
	body     []byte // normalised
}

func (s *sampleSigner) Append(dst, body []byte, _ []int) []byte {
	if len(body) > longBytes {
		return s.appendLong(dst, body)
	}
	if s.scheme.how != text.None {
		s.body = s.shingler.Normalized(s.body[:0], body)
		body = s.body
	}
	s.set = s.sampler.Append(s.set[:0], body)
	return s.scheme.AppendEncoded(dst, s.set, sample.Digest(body))
}

// appendLong is Append in parts: once over the text for the set, and once for its digest.
func (s *sampleSigner) appendLong(dst, body []byte) []byte {
	parts := s.shingler.Parts(body)
	s.set = s.sampler.AppendText(s.set[:0], parts)
	return s.scheme.AppendEncoded(dst, s.set, sample.DigestEach(parts))
}

// A wordSampler takes samples of words.
type wordSampler struct {
	sampleSigner
	words []uint64
}

func (s *wordSampler) Append(dst, body []byte, _ []int) []byte {
	if len(body) > longBytes {
		parts := s.shingler.Each(body)
		s.set = s.sampler.AppendEach(s.set[:0], parts)
		return s.scheme.AppendEncoded(dst, s.set, sample.DigestValuesEach(parts))
	}
	s.words = s.shingler.Append(s.words[:0], body)
	s.set = s.sampler.AppendValues(s.set[:0], s.words)
	return s.scheme.AppendEncoded(dst, s.set, sample.DigestValues(s.words))
}
