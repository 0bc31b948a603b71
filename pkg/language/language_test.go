package language

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// vectors returns the published test texts by language code.
func vectors(t testing.TB) map[string]string {
	b, err := os.ReadFile("../../testdata/vectors/language.tsv")
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			m[name] = text
		}
	}
	return m
}

// TestVectors checks that every language is identified with a confidence of at least 0.7 from three
// forms of its test text: unchanged, in upper case, and repeated.
func TestVectors(t *testing.T) {
	var d Detector
	known := vectors(t)
	for _, name := range languages() {
		text, ok := known[name]
		if !ok {
			t.Errorf("no vector for %s", name)
		}
		for _, s := range []string{text, strings.ToUpper(text), text + "\n" + text} {
			if r := d.Identify([]byte(s)); r.Language != name || r.Confidence < 0.7 || r.Confidence > 1 {
				t.Errorf("%s is taken for %v: %.60s", name, r, s)
			}
		}
	}
	if len(known) != len(languages()) {
		t.Errorf("%d vectors, %d languages", len(known), len(languages()))
	}
}

// TestDetect checks that Detect identifies the language of sentences that were not used to build
// the tables, and that it returns Unknown for texts without letters.
func TestDetect(t *testing.T) {
	for _, c := range []struct{ language, text string }{
		{"eng", "The kettle had boiled dry by the time she remembered it, and the kitchen smelled of hot metal."},
		{"fra", "La voisine du dessous a laissé sa bicyclette dans l'escalier, et personne n'ose rien lui dire."},
		{"deu", "Der Hund des Nachbarn bellt seit heute früh, weil vor dem Haus ein Umzugswagen steht."},
		{"spa", "Mi abuela guardaba las llaves del huerto en una caja de galletas que nadie podía abrir."},
		{"por", "O padeiro da esquina não abriu ontem, e por isso ficamos sem pão para o pequeno-almoço."},
		{"ita", "Il treno per Bologna era in ritardo di mezz'ora, così siamo andati a bere un caffè."},
		{"nld", "Het regende zo hard dat we onze fietsen onder de brug hebben laten staan."},
		{"pol", "Wczoraj wieczorem zgubiłem parasol w tramwaju, a dziś rano znowu pada deszcz."},
		{"ces", "Včera večer jsem ztratil deštník v tramvaji a dnes ráno zase prší."},
		{"rus", "Вчера вечером я забыл зонт в трамвае, а сегодня утром опять идёт дождь."},
		{"ukr", "Учора ввечері я забув парасольку в трамваї, а сьогодні вранці знову йде дощ."},
		{"tur", "Dün akşam şemsiyemi tramvayda unuttum, bu sabah da yine yağmur yağıyor."},
		{"vie", "Tối qua tôi để quên cái ô trên xe buýt, và sáng nay trời lại mưa."},
		{"swe", "I går kväll glömde jag paraplyet på spårvagnen och i morse regnade det igen."},
		{"fin", "Unohdin eilen illalla sateenvarjon raitiovaunuun, ja tänä aamuna sataa taas."},
		{"hun", "Tegnap este a villamoson felejtettem az esernyőmet, ma reggel pedig megint esik."},
		{"ara", "نسيت مظلتي في القطار مساء أمس، وهذا الصباح عاد المطر من جديد."},
		{"fas", "دیشب چترم را در اتوبوس جا گذاشتم و امروز صبح دوباره باران می\u200cبارد."},
		{"hin", "कल शाम मैं अपना छाता बस में भूल गया और आज सुबह फिर बारिश हो रही है।"},
		{"zho", "昨天晚上我把雨伞忘在电车上了，今天早上又下雨了。"},
		{"jpn", "昨日の夜、電車に傘を忘れてしまい、今朝はまた雨が降っている。"},
		{"kor", "어젯밤에 전차에 우산을 두고 내렸는데 오늘 아침에 또 비가 온다."},
		{"tha", "เมื่อคืนฉันลืมร่มไว้บนรถไฟ และเช้านี้ฝนก็ตกอีกแล้ว"},
		{"ell", "Χθες το βράδυ ξέχασα την ομπρέλα στο τραμ και σήμερα το πρωί βρέχει πάλι."},
		{"heb", "אתמול בערב שכחתי את המטריה ברכבת, והבוקר שוב יורד גשם."},
		{"zho", "我们用 Linux 和 GNU 工具写程序，编译以后再运行测试。"},
		{Unknown, ""}, {Unknown, "1234 !!! ☃"}, {Unknown, "\xff\xfe"},
	} {
		var d Detector
		if r := d.Detect([]byte(c.text)); r.Language != c.language {
			t.Errorf("%s is taken for %v: %s", c.language, r, c.text)
		}
	}
}

// TestConfidence checks that the confidence is lower for texts with letters of another script,
// for short texts, and for texts in unknown languages.
func TestConfidence(t *testing.T) {
	const long = "The kettle had boiled dry by the time she remembered it, and the kitchen smelled of hot metal. "
	var d Detector
	sure := d.Detect([]byte(long)).Confidence
	for _, s := range []string{
		"no", "I am in", "xqzv kjwq zzxkv qpwx vkjh zxq wvkq jjqx kzvw pqxz", long + strings.Repeat("дождь ", 10),
		"Ngoba ukuqashelwa kwesithunzi semvelo namalungelo alinganayo", // Zulu
	} {
		if got := d.Detect([]byte(s)).Confidence; got >= sure || sure < 0.95 {
			t.Errorf("confidence %.2f in %q, %.2f in English", got, s, sure)
		}
	}
}

func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		"en": "eng", "ENG": "eng", "fr": "fra", "zh": "zho", "cmn": "zho", "nb": "nor", "code": "code", "bs": "hrv",
	} {
		if got, err := Parse(in); got != want || err != nil {
			t.Errorf("Parse(%q) = %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "xx", "english", "und"} {
		if got, err := Parse(in); err == nil {
			t.Errorf("Parse(%q) = %q", in, got)
		}
	}
	for short, long := range longCodes() {
		if !slices.Contains(append(languages(), "afr"), long) {
			t.Errorf("%s: unknown script %s", short, long)
		}
	}
}

func TestCode(t *testing.T) {
	for _, c := range []struct {
		text string
		code bool
	}{
		{"func add(a, b int) int {\n\treturn a + b\n}\n", true},
		{"def area(self):\n    if self.r < 0:\n        raise ValueError(\"r\")\n    return math.pi * self.r ** 2\n", true},
		{"const x = list.map((v) => v * 2);\nconsole.log(`${x}`);\n", true},
		{"for f in *.txt; do\n\tmv \"$f\" \"${f%.txt}.bak\" || exit 1\ndone\n", true},
		{"SELECT a.id, count(*) FROM a JOIN b ON a.id = b.a_id WHERE b.x > 3 GROUP BY a.id;", true},
		{"public static void main(String[] args) {\n    System.out.println(\"hi\");\n}\n", true},
		{"", false},
		// prose that contains keywords of programming languages; the program fastdedup classifies
		// it as code
		{"Cette classe importante doit essayer de lire la suite : le retour d'une fonction tryptique, une public class, c'est vrai.", false},
		{"The class will return to import its lunch; try the public function, then let the string of private ints be.", false},
		{"La fonction de cette classe est d'importer, puis de retourner, des chaînes ; un essai public sera int-éressant.", false},
		{"1. Peel two apples (or three).\n2. Cut them; add sugar: 50 g, cinnamon.\n3. Bake for 40 minutes.", false},
		{"昨天晚上我把雨伞忘在电车上了，今天早上又下雨了。", false},
	} {
		if p := Code([]byte(c.text)); (p > 0.5) != c.code {
			t.Errorf("Code = %.2f of %q", p, c.text)
		}
	}
}

// TestScripts checks letterTable, classify and decode against package unicode.
func TestScripts(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		s, low := classify(r).script(), classify(r).lower()
		for i, one := range single {
			if in := unicode.Is(one.table, r) && (unicode.IsLetter(r) || unicode.IsMark(r)); r < tabled && in != (s == hangul+1+script(i)) {
				t.Errorf("%U: script %d", r, s)
			}
		}
		if s > none && s < modelled && r < tabled && rune(low) != unicode.ToLower(r) {
			t.Errorf("lower case of %U is %U", r, low)
		}
		if r >= utf8.RuneSelf && utf8.ValidRune(r) {
			if l, size := decode([]byte(string(r) + "a")); l != classify(r) || size != utf8.RuneLen(r) {
				t.Errorf("%U is decoded as %x of %d bytes", r, l, size)
			}
		}
	}
	for r, want := range map[rune]script{
		'a': latin, 'ß': latin, 'ế': latin, 'ж': cyrillic, 'ق': arabic, 'ﻕ': arabic, '़': devanagari, 'ক': bengali,
		'中': han, '㐀': han, '𠀀': han, 'か': kana, 'ｶ': kana, '한': hangul, '1': none, ' ': none, '。': none, '😀': none,
	} {
		if s := classify(r).script(); s != want {
			t.Errorf("%c: script %d, want %d", r, s, want)
		}
	}
}

// plainWalk does the same as walkText, but one code point at a time.
func plainWalk(text string, emit emitFunc) (bytes [scripts]int) {
	var windows [modelled]uint64
	push := func(s script, lower uint64) {
		windows[s] = (windows[s]<<16 | lower) & trigram
		emit(s, windows[s:s+1])
	}
	for s := range windows {
		windows[s] = boundary
	}
	last := none // script of the current word
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		l := classify(r)
		s := l.script()
		bytes[s] += size
		if s >= modelled {
			s = none
		}
		if s != last && last != none {
			push(last, boundary)
		}
		if s != none {
			push(s, l.lower())
		}
		last = s
	}
	if last != none {
		push(last, boundary)
	}
	return bytes
}

func checkWalk(t *testing.T, text string) {
	t.Helper()
	var got, want [modelled][]uint64
	var w walker
	w.walkText([]byte(text), func(s script, grams []uint64) { got[s] = append(got[s], grams...) })
	bytes := plainWalk(text, func(s script, grams []uint64) { want[s] = append(want[s], grams...) })
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("trigrams of %q (-plain +got):\n%s", text, d)
	}
	if bytes != w.bytes {
		t.Fatalf("%q: letters %v, want %v", text, w.bytes, bytes)
	}
}

func FuzzWalk(f *testing.F) {
	f.Add("Été, 1 да!xдha 中文xかな한국 हिन्दी বাংলা \xff\xc3 \xe0\xa4 \xed\xa0\x80\xe0\x80\x80 عربي")
	f.Add(strings.Repeat("abcde fgж", 70))
	f.Fuzz(checkWalk)
}

// plainAdd does the same as add, but one weight at a time.
func plainAdd(m *model, sum *score, grams []uint64) {
	for _, g := range grams {
		for col := range m.languages {
			sum[col] += uint32(m.table[m.row(g)*m.stride()+col])
		}
	}
}

func checkAdd(t *testing.T, text string) {
	var fast, plain [modelled]score
	var w walker
	w.walkText([]byte(text), func(s script, grams []uint64) {
		if len(grams) > batch {
			t.Fatalf("%d trigrams at once", len(grams))
		}
		models[s].add(&fast[s], grams)
		plainAdd(&models[s], &plain[s], grams)
	})
	if fast != plain {
		t.Errorf("scores of %.80q differ:\n%v\n%v", text, fast, plain)
	}
}

// TestAddWide compares addWide with plainAdd for every possible number of trigrams. It also uses a
// model with the largest weights, which could overflow a lane.
func TestAddWide(t *testing.T) {
	real := &models[latin]
	full := &model{real.languages, 5, strings.Repeat("\xff", 32<<5)}
	for n := range batch + 1 {
		grams := make([]uint64, n)
		for i := range grams {
			grams[i] = uint64(i*n) * 0x123456789
		}
		for _, m := range []*model{real, full} {
			var got, want score
			m.addWide(&got, grams)
			plainAdd(m, &want, grams)
			if got != want {
				t.Fatalf("%d trigrams: %v, want %v", n, got, want)
			}
		}
	}
}

func FuzzAdd(f *testing.F) {
	for _, text := range vectors(f) {
		f.Add(text)
	}
	f.Add(strings.Repeat("the ", 1000))
	f.Fuzz(checkAdd)
}

// TestTrigrams compares the trigrams of words with trigrams found by hand.
func TestTrigrams(t *testing.T) {
	got := map[script][]string{}
	var w walker
	w.walkText([]byte("Été, 1 да!x"), func(s script, grams []uint64) {
		for _, g := range grams {
			got[s] = append(got[s], string([]rune{rune(g >> 32 & 0xffff), rune(g >> 16 & 0xffff), rune(g & 0xffff)}))
		}
	})
	for s, want := range map[script][]string{
		latin:    {"\x00 é", " ét", "été", "té ", "é x", " x "},
		cyrillic: {"\x00 д", " да", "да "},
	} {
		if !slices.Equal(got[s], want) {
			t.Errorf("trigrams %q, want %q", got[s], want)
		}
	}
}

func BenchmarkIdentify(b *testing.B) {
	texts := vectors(b)
	for _, name := range []string{"eng", "vie", "rus", "hin", "zho", "ara"} {
		text := []byte(strings.Repeat(texts[name]+"\n", 6))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var d Detector
			for b.Loop() {
				d.Identify(text)
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	var grams [batch]uint64
	for i := range grams {
		grams[i] = uint64(i) * 0x123456789
	}
	m := &models[latin]
	var sum score
	b.Run("wide", func(b *testing.B) {
		for b.Loop() {
			m.addWide(&sum, grams[:])
		}
	})
	b.Run("columns", func(b *testing.B) {
		for b.Loop() {
			m.addColumns(&sum, grams[:])
		}
	})
}
