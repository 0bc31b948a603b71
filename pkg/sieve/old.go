package sieve

import "doppel/pkg/jaccard"

// SetOf returns the set of a text's shingles, for [Worker.Score].
func (w *Worker) SetOf(text []byte) []uint64 { return w.other.distinct(w.shinglesOf(text)) }

// Score compares a text with a set. It returns the score in units of 1/[group.Scale], or -1 if the
// similarity is below the threshold.
func (w *Worker) Score(text []byte, set []uint64) int {
	w.set.fill(w.shinglesOf(text))
	return w.score(set, 0)
}

// AppendSignature appends the signature of the text that Sign was last called for to dst: the
// signature that recsign writes, before base64 encoding. The text must have keys.
func (w *Worker) AppendSignature(dst []byte) []byte { return w.codec.AppendRaw(dst, &w.sketch) }

// Estimate estimates the similarity of two texts from their signatures. It returns the score in
// units of 1/[group.Scale], rounded as jaccard rounds the estimates of signatures, or -1 if the
// estimate is below the threshold.
func (w *Worker) Estimate(a, b []byte) int {
	switch similarity := w.codec.Compare(a, b); {
	case similarity < w.sieve.opt.Threshold:
		return -1
	case similarity == 1:
		return jaccard.One
	default:
		return jaccard.RoundEstimate(similarity)
	}
}
