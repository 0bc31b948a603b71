package language

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// TestTrainer checks that a weight is weightUnit * ln(f/floor), where f is the frequency of a
// trigram, with sources weighted by the square root of their size.
func TestTrainer(t *testing.T) {
	const words = "quick brown foxes jump over lazy dogs while seven wizards vex bold knights and kings "
	var tr Trainer
	n := 0
	var w walker
	w.walkText([]byte(words), func(_ script, grams []uint64) { n += len(grams) })
	tr.Add("eng", "a", []byte(words))
	tr.Add("fra", "a", []byte(words))
	tr.Add("fra", "b", []byte(words+words+words+words))
	tr.Add("fra", "b", []byte("zut"))
	table := tr.Tables()["latin"]
	m := model{languages: models[latin].languages, bits: models[latin].bits, table: string(table)}
	if len(table) != len(latinTable) {
		t.Fatalf("%d bytes, want %d", len(table), len(latinTable))
	}
	weight := func(s string, col int) byte {
		gram := uint64(s[0])<<32 | uint64(s[1])<<16 | uint64(s[2])
		return m.table[m.row(gram)*m.stride()+col]
	}
	want := func(p float64) byte { return byte(math.Round(weightUnit * math.Log(p/floor))) }
	const eng, fra, deu = 0, 1, 2
	one, four := math.Sqrt(float64(n)), math.Sqrt(float64(4*n+3)) // " zut " has three trigrams
	if got := weight("wiz", eng); got != want(1/float64(n)) {
		t.Errorf("weight %d, want %d", got, want(1/float64(n)))
	}
	if got := weight("zut", fra); got != want(1/four/(one+four)) {
		t.Errorf("weight %d, want %d", got, want(1/four/(one+four)))
	}
	if weight("wiz", deu) != 0 || weight("zut", eng) != 0 {
		t.Errorf("weights without texts: %d, %d", weight("wiz", deu), weight("zut", eng))
	}
}

// TestCodeTrainer checks that the weights fit the samples and are reproducible.
func TestCodeTrainer(t *testing.T) {
	train := func() []byte {
		var tr CodeTrainer
		for range 20 {
			tr.Add([]byte("x = f(a[i]);\n"), true)
			tr.Add([]byte("This is prose.\n"), false)
		}
		return tr.Table(20)
	}
	table := train()
	if !bytes.Equal(table, train()) || len(table) != len(codeTable) {
		t.Fatal("tables differ")
	}
	weight := func(a, b byte) float32 {
		i := int(pairClass[a])*pairClasses + int(pairClass[b])
		return math.Float32frombits(binary.LittleEndian.Uint32(table[4*i:]))
	}
	if !(weight(')', ';') > 0 && weight('a', 'b') < 0 && weight('#', '#') == 0) {
		t.Errorf("weights %v %v %v", weight(')', ';'), weight('a', 'b'), weight('#', '#'))
	}
}
