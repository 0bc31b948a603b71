package passage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"doppel/pkg/fingerprint"
	"doppel/pkg/text"
)

// A Scheme holds all settings that affect runs. String writes a scheme as one word, such as
// passage/200/k50/none or passage/w50/k12/balanced: the length of a passage in bytes or words, the
// length of the hashed window, and the normalisation of the words.
type Scheme struct {
	Unit      Unit
	Length    int // L, the number of units in a passage, 1 to maxLength
	Window    int // k, the number of units in a hashed window, 1 to Length
	Normalize text.Normalization
}

// ErrChanged means that a text is not the one in which passages were found.
var ErrChanged = errors.New("the records changed between two readings")

// A Unit is the unit of Length and Window: a byte or a word.
type Unit byte

// The values of Unit.
const (
	Bytes Unit = 'b' // bytes of the unchanged text
	Words Unit = 'w' // words after normalisation
)

// maxLength is the maximum length of a passage, in units.
const maxLength = 1 << 16

// NewScheme returns the scheme for a length, such as 200 for bytes or w50 for words. The
// normalisation applies only to words. The window is a quarter of the length, but at least 12 bytes
// or 4 words where the length permits. With this window, a text has about 2.6 runs per Length
// units. With a shorter window, a text has fewer runs, but more runs share a key without sharing a
// passage.
func NewScheme(length string, how text.Normalization) (Scheme, error) {
	s := Scheme{Unit: Bytes, Normalize: text.None}
	number, words := strings.CutPrefix(length, "w")
	least := 12
	if words {
		s.Unit, s.Normalize, least = Words, how, 4
	}
	n, err := strconv.Atoi(number)
	if err != nil || strconv.Itoa(n) != number {
		return s, fmt.Errorf("invalid length %q: want a number of bytes, or of words, as in w50", length)
	}
	s.Length = n
	s.Window = max(n/4, min(n, least))
	return s, s.Check()
}

func (s Scheme) String() string {
	length := strconv.Itoa(s.Length)
	if s.Unit == Words {
		length = "w" + length
	}
	return fmt.Sprintf("passage/%s/k%d/%v", length, s.Window, s.Normalize)
}

// Check returns an error if s is not valid.
func (s Scheme) Check() error {
	switch {
	case s.Unit != Bytes && s.Unit != Words:
		return fmt.Errorf("invalid unit %q: want bytes or words", s.Unit)
	case s.Length < 1 || s.Length > maxLength:
		return fmt.Errorf("length %d: want 1 to %d", s.Length, maxLength)
	case s.Window < 1 || s.Window > s.Length:
		return fmt.Errorf("window %d: want 1 to the length, %d", s.Window, s.Length)
	case s.Unit == Bytes && s.Normalize != text.None:
		return fmt.Errorf("normalization %v applies only to words, not to bytes", s.Normalize)
	case s.Unit == Words && s.Normalize != text.Conservative && s.Normalize != text.Balanced:
		return fmt.Errorf("normalization %v loses the places of words in the text: want conservative or balanced", s.Normalize)
	}
	return nil
}

// ParseScheme parses the output of String. It returns an error for any other spelling.
func ParseScheme(word string) (Scheme, error) {
	part := strings.Split(word, "/")
	if len(part) != 4 || part[0] != "passage" {
		return Scheme{}, fmt.Errorf("invalid passage scheme %q", word)
	}
	var how text.Normalization
	err := how.Set(part[3])
	s, lengthErr := NewScheme(part[1], how)
	if err == nil {
		err = lengthErr
	}
	s.Window, _ = strconv.Atoi(strings.TrimPrefix(part[2], "k")) // a parse error makes a check below fail
	if err == nil {
		err = s.Check()
	}
	if err == nil && s.String() != word {
		err = fmt.Errorf("want %s", s)
	}
	if err != nil {
		return s, fmt.Errorf("invalid scheme %q: %w", word, err)
	}
	return s, nil
}

// hasher returns a hasher for windows of n units.
func (s Scheme) hasher(n int) (*fingerprint.Hasher, error) {
	p := fingerprint.Default
	p.Window = n
	if s.Unit == Words {
		p.Unit = fingerprint.Words
	}
	return fingerprint.NewHasher(p)
}
