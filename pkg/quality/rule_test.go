package quality

import (
	"math"
	"strings"
	"testing"
)

func TestParseRule(t *testing.T) {
	for _, c := range []struct{ in, out, err string }{
		{"length<50", "length<50", ""},
		{"length>=1e5", "length>=100000", ""},
		{"url_ratio<=.10", "url_ratio<=0.1", ""},
		{"length", "", `invalid rule "length": want METRIC<LIMIT or METRIC>LIMIT`},
		{"", "", `invalid rule "": want METRIC<LIMIT or METRIC>LIMIT`},
		{"lenght>3", "", `invalid rule "lenght>3": unknown metric "lenght"`},
		{"length>", "", `invalid rule "length>": the limit "" is not a number`},
		{"length>>3", "", `invalid rule "length>>3": the limit ">3" is not a number`},
		{"length>NaN", "", `invalid rule "length>NaN": the limit "NaN" is not a number`},
	} {
		r, err := ParseRule(c.in)
		switch {
		case err != nil && err.Error() != c.err:
			t.Errorf("ParseRule(%q): %v, want %v", c.in, err, c.err)
		case err == nil && (c.err != "" || r.String() != c.out):
			t.Errorf("ParseRule(%q) = %v, want %v %v", c.in, r, c.out, c.err)
		}
	}
}

func FuzzParseRule(f *testing.F) {
	f.Add("length<50")
	f.Add("url_ratio>=0.1")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRule(s)
		if err != nil {
			return
		}
		again, err := ParseRule(r.String())
		if err != nil || again.String() != r.String() || again.Limit != r.Limit {
			t.Errorf("%q reads as %v, that as %v, %v", s, r, again, err)
		}
	})
}

func TestBreaks(t *testing.T) {
	for _, c := range []struct {
		op                  Op
		below, same, beyond bool
	}{
		{Below, true, false, false}, {AtMost, true, true, false},
		{Above, false, false, true}, {AtLeast, false, true, true},
	} {
		r := Rule{Op: c.op, Limit: 0.3}
		if r.Breaks(0.2) != c.below || r.Breaks(0.3) != c.same || r.Breaks(0.4) != c.beyond || r.Breaks(math.NaN()) {
			t.Errorf("%v is wrong", r)
		}
	}
}

const (
	prose = `The harbour was quiet that morning, and the fishermen had already taken their boats out beyond the point.
Anna stood on the wall with a cup of coffee and counted the sails that she could see. There were eleven of them!
"You have to be patient," her father used to say; he had never been patient himself. Would they come back before noon?
She did not know what the weather would bring, but the clouds in the west had been growing since dawn.
`
	prosePolish = `W porcie panowała cisza, a rybacy wypłynęli już na morze. Anna stała na murze z kubkiem kawy i liczyła żagle.`
)

// TestPresets checks that each preset accepts prose, and that Check returns the measured value and
// the rule that a text breaks.
func TestPresets(t *testing.T) {
	for _, c := range []struct {
		preset, text, broken string
		measured             float64
	}{
		{"default", prose, "", 0},
		{"default", prosePolish, "", 0},
		{"default", "Too short.", "length<50", 10},
		{"default", "Żółć gęślą jaźń, żółć gęślą jaźń, żółć gęślą jaźń!", "word_count<10", 9},
		{"default", strings.Repeat("all work and no play ", 6), "repetition_ratio>0.3", (23.0 + 22) / (28 + 27)},
		{"default", "to http://example.org/a and https://example.com/b or one or two or six of the sites", "url_ratio>0.1", (20.0 + 21) / 83},
		{"default", prose + "<b>bold</b>", "html_tags>0", 2},
		{"default", "a b c d e f g h i j k l m n o p q r s t u v w x y z", "avg_word_length<2.5", 1},
		{"strict", prose, "", 0},
		{"strict", prose + "Bullshit.", "profane_words>0", 1},
		{"lenient", "A few words will do.", "", 0},
		{"lenient", "No good.", "length<20", 8},
		{"lenient", prose + "<b>bold</b>", "", 0},
		{"gopher", prose, "", 0},
		{"gopher", prosePolish, "word_count<50", 20},
		{"gopher-quality", strings.Repeat("słowo inne trzecie ", 20), "stop_words<2", 0},
		{"gopher-quality", prose + strings.Repeat("#", 30), "hash_word_ratio>0.1", 30.0 / 83},
		{"gopher-repetition", "one\ntwo\none\ntwo\n", "dup_line_fraction>0.3", 0.5},
		{"c4", prose, "", 0},
		{"c4", prose + "func main() {", "curly_brackets>0", 1},
		{"c4", prose + "Lorem Ipsum dolor sit amet.", "lorem_ipsum>0", 1},
		{"c4", "One sentence is too few.", "c4_sentences<5", 1},
		{"fineweb", prose, "", 0},
		{"fineweb", prose + "Lorem ipsum", "lorem_ipsum>0", 1},
		{"fineweb-quality", "milk\neggs\nflour\nand a pound of the best butter that money buys", "line_punct_ratio<=0.12", 0},
		{"fineweb-quality", "Donaudampfschifffahrtsgesellschaft.\nRindfleischetikettierungsüberwachung.\nEnde.", "list_ratio>0.3", 2.0 / 3},
	} {
		rules, err := FindPreset(c.preset)
		if err != nil {
			t.Fatal(err)
		}
		var x Text
		x.Set([]byte(c.text))
		broken, measured := rules.Check(&x)
		name := ""
		if broken != nil {
			name = broken.String()
		}
		if name != c.broken || math.Abs(measured-c.measured) > 1e-12 {
			t.Errorf("%s on %.40q…: %q %v, want %q %v", c.preset, c.text, name, measured, c.broken, c.measured)
		}
	}
	if _, err := FindPreset("loose"); err == nil || !strings.Contains(err.Error(), "strict, lenient") {
		t.Errorf("error %v names no presets", err)
	}
}

func BenchmarkPresets(b *testing.B) {
	text := []byte(strings.Repeat(prose, 1)) // a page of prose
	for _, p := range Presets {
		b.Run(p.Name, func(b *testing.B) {
			var t Text
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				t.Set(text)
				p.Rules.Check(&t)
			}
		})
	}
}

// TestAllocs checks that a Text does not allocate when it measures the same text again.
func TestAllocs(t *testing.T) {
	var text Text
	page := []byte(strings.Repeat("Lines that say it again.\n\n", 9) + prose)
	for _, m := range Metrics {
		if n := testing.AllocsPerRun(9, func() {
			text.Set(page)
			m.Measure(&text)
		}); n > 0 {
			t.Errorf("%s: %v allocations", m.Name, n)
		}
	}
}
