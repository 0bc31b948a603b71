package language

import "math"

// A Trainer builds the tables of the models from texts whose language is known.
type Trainer struct {
	counts map[origin]*[modelled][]float64
}

// An origin is a language and the source of some of its texts, such as a manual.
type origin struct{ language, source string }

// Add counts the trigrams of a text. Texts of the same source are counted together. Sources are
// weighted by the square root of their size, so that one large manual does not dominate a
// language.
func (t *Trainer) Add(language, source string, text []byte) {
	if t.counts == nil {
		t.counts = map[origin]*[modelled][]float64{}
	}
	c := t.counts[origin{language, source}]
	if c == nil {
		c = new([modelled][]float64)
		t.counts[origin{language, source}] = c
	}
	var w walker
	w.walkText(text, func(s script, grams []uint64) {
		if c[s] == nil {
			c[s] = make([]float64, 1<<models[s].bits)
		}
		for _, g := range grams {
			c[s][models[s].row(g)]++
		}
	})
}

// Tables returns a map from file names to the tables of the modelled scripts.
func (t *Trainer) Tables() map[string][]byte {
	names := [modelled]string{latin: "latin", cyrillic: "cyrillic", arabic: "arabic", devanagari: "devanagari", bengali: "bengali"}
	tables := map[string][]byte{}
	for s := latin; s < modelled; s++ {
		m := &models[s]
		table := make([]byte, m.stride()<<m.bits)
		for col, language := range m.languages {
			sum, weights := make([]float64, 1<<m.bits), 0.0
			for o, c := range t.counts {
				if o.language != language || c[s] == nil {
					continue
				}
				n := 0.0
				for _, x := range c[s] {
					n += x
				}
				weights += math.Sqrt(n)
				for row, x := range c[s] {
					sum[row] += x / math.Sqrt(n)
				}
			}
			for row, p := range sum { // p/weights is the frequency of the row's trigrams, from 0 to 1
				p /= weights
				weight := math.Round(weightUnit * math.Log(max(p, floor)/floor))
				table[row*m.stride()+col] = byte(min(weight, 255))
			}
		}
		tables[names[s]] = table
	}
	return tables
}
