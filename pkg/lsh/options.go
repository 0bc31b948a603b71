package lsh

// Options say how signatures become keys.
type Options struct {
	Threshold float64 // of similarity, for the choice of bands
	Recall    float64 // at the threshold, likewise
	Bands     Bands   // given instead; a zero is chosen from the other
	Within    int     // distance in bits at which simhashes still share a key
}

// Settle returns the banding of k slots: as given, or chosen.
func (o Options) Settle(k int) (Bands, error) {
	b := o.Bands
	switch {
	case b == (Bands{}):
		b = Choose(k, o.Threshold, o.Recall)
	case b.B == 0:
		b.B = min(k/max(b.R, 1), MaxBands)
	case b.R == 0:
		b.R = k / b.B
	}
	return b, b.Check(k)
}
