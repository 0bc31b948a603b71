package quality

// ratio is a/b, and NaN if both are 0.
func ratio(a, b int) float64 { return float64(a) / float64(b) }

// length is the number of characters. (fastdedup counts bytes.)
func length(t *Text) float64 { return float64(t.length()) }

// wordCount is the number of words.
func wordCount(t *Text) float64 { return float64(t.count()) }

// repetitionRatio is, among the 3-grams and 4-grams of words, the share of
// those that have occurred before in the text: 0 to 1, and 0 for a text of
// fewer than five words.
func repetitionRatio(t *Text) float64 {
	n := t.count()
	if n < 5 {
		return 0
	}
	return ratio(t.repeated(3)+t.repeated(4), n-2+n-3)
}

// uniqueWordsRatio is the number of different words over that of all words.
func uniqueWordsRatio(t *Text) float64 {
	if t.long != nil {
		return ratio(t.count()-t.repeated(1), t.count())
	}
	t.seen.reset(t.count())
	unique := 0
	for i := range t.words {
		if t.seen.add(t.words[i].hash) == 1 {
			unique++
		}
	}
	return ratio(unique, len(t.words))
}

// specialCharRatio is the share of characters that are neither letter, mark,
// number nor white space. (fastdedup divides characters by bytes, so that it
// finds less in a text the further that is from ASCII, and takes the vowel
// sign that ends a syllable of Hindi for special.)
func specialCharRatio(t *Text) float64 { return ratio(t.specials(), t.length()) }

// avgWordLength is the mean length of the words in characters, those of
// scripts without spaces left out: NaN for a text of nothing else. (fastdedup
// counts bytes.)
func avgWordLength(t *Text) float64 {
	chars, words := 0, 0
	for p := range t.parts {
		for i := range p.words {
			if !p.words[i].lone {
				chars += p.charsOf(i, i+1)
				words++
			}
		}
	}
	return ratio(chars, words)
}

// count makes a metric of a number.
func count(n int) float64 { return float64(n) }
