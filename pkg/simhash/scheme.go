package simhash

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"doppel/pkg/text"
)

// A Scheme fixes everything that affects a simhash. String writes a Scheme as one word, such as
// simhash/c2/city/64/none. Its parts are the features, the hash function, the number of bits, the
// normalisation, the Unicode normalisation form, if any, and "zero" if Zero is set.
type Scheme struct {
	Text text.Options
	Hash Func
	Bits int
	Form Form
	Zero bool // whether the simhash of a text too short for a feature is 0, as in dedup.py
}

// A Form is a Unicode normalisation form, or "" for none.
type Form string

var forms = map[Form]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

func (s Scheme) String() string {
	word := fmt.Sprintf("simhash/%v/%s/%d/%v", s.Text.Shingle, s.Hash, s.Bits, s.Text.Normalize)
	if s.Form != "" {
		word += "/" + string(s.Form)
	}
	if s.Zero {
		word += "/zero"
	}
	return word
}

// Check returns an error if the scheme is invalid.
func (s Scheme) Check() error {
	_, known := forms[s.Form]
	switch {
	case s.Bits != 32 && s.Bits != 64 && s.Bits != 128:
		return fmt.Errorf("bits %d: want 32, 64 or 128", s.Bits)
	case s.Hash != City && s.Hash != XXH3:
		return fmt.Errorf("hash %q: want city or xxh3", s.Hash)
	case s.Form != "" && !known:
		return fmt.Errorf("form %q: want NFC, NFD, NFKC or NFKD", s.Form)
	case s.Text.Shingle.Unit == text.Words && s.Text.Normalize == text.None:
		return fmt.Errorf("shingles of words need a normalization other than none")
	}
	return nil
}

// ParseScheme parses the output of String.
func ParseScheme(word string) (s Scheme, err error) {
	part := strings.Split(word, "/")
	bad := fmt.Errorf("invalid simhash scheme %q", word)
	if len(part) < 5 || part[0] != "simhash" || s.Text.Shingle.Set(part[1]) != nil || s.Text.Normalize.Set(part[4]) != nil {
		return s, bad
	}
	s.Hash = Func(part[2])
	s.Bits, _ = strconv.Atoi(part[3])
	for _, extra := range part[5:] {
		if extra == "zero" {
			s.Zero = true
		} else {
			s.Form = Form(extra)
		}
	}
	if s.Check() != nil || s.String() != word {
		return s, bad
	}
	return s, nil
}

// A TextSigner computes the simhashes of texts under a scheme. It is not safe for concurrent use.
type TextSigner struct {
	scheme   Scheme
	signer   *signer
	add      func(text []byte) (rest int) // either signer.addChars or signer.addWords
	shingler *text.Shingler
	form     norm.Form
	formed   []byte
	folded   []byte
}

// NewTextSigner returns a signer for a scheme. It returns an error if [Scheme.Check] does.
func NewTextSigner(s Scheme) (*TextSigner, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	signer, err := newSigner(s.Bits, s.Text.Shingle.N, s.Hash)
	t := &TextSigner{scheme: s, signer: signer, add: signer.addChars, shingler: text.NewShingler(s.Text), form: forms[s.Form]}
	if s.Text.Shingle.Unit == text.Words {
		t.add = signer.addWords
	}
	return t, err
}

// Sign returns the simhash of a text, and false if the text is empty after normalisation. A text
// that is too short for a feature counts as one feature. If Scheme.Zero is set, however, the
// simhash of an empty or too short text is 0, and Sign returns true.
func (t *TextSigner) Sign(body []byte) (Hash, bool) {
	if t.scheme.Form != "" {
		t.formed = t.form.Append(slices.Grow(text.Reuse(t.formed), len(body)), body...)
		body = t.formed
	}
	b := t.shingler.Normalized(text.Reuse(t.folded), body)
	t.folded = b
	t.add(b)
	switch h, ok := t.signer.Votes(); {
	case ok:
		return h, true
	case t.scheme.Zero:
		return Hash{}, true
	case len(b) == 0:
		return Hash{}, false
	}
	t.signer.Add(t.signer.hash(b))
	return t.signer.Votes()
}
