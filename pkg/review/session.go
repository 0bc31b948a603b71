package review

import "doppel/pkg/review/judgement"

// A Session is a person's way through a list: where they are, what is asked, and what
// they are told. It does nothing but what keys tell it, and knows neither a screen nor
// a file: Press says what is left to do.
type Session struct {
	List    *List
	Ledger  *judgement.Ledger
	Order   []int32 // the numbers of the pairs in the order in which they are shown; nil: as they came
	At      int     // which of them is shown
	Cut     float64 // the threshold in question, if HasCut
	HasCut  bool
	Fixed   bool // pairs are looked at, and nothing is decided
	Asking  byte // '/' for a word to search, '=' for a score; 0: nothing
	Typed   string
	Query   string // what was searched last
	Message string
}

// An Effect is what a key leaves to be done.
type Effect byte

// The effects.
const (
	Nothing  Effect = iota
	Appended        // the ledger has one more judgement at its end
	Rewrote         // the ledger changed otherwise
	Find            // the Query is to be found behind the pair that is shown
	Quit
	Unknown // the key is none of a session
)

// Len returns how many pairs can be shown.
func (s *Session) Len() int {
	if s.Order != nil {
		return len(s.Order)
	}
	return s.List.Status().Pairs
}

// Number returns the number in the list of the pair shown ith.
func (s *Session) Number(i int) int {
	if s.Order != nil {
		return int(s.Order[i])
	}
	return i
}

// Pair returns the pair that is shown; false if there is none.
func (s *Session) Pair() (judgement.Pair, bool) { return s.pair(s.At) }

func (s *Session) pair(i int) (judgement.Pair, bool) {
	if i < 0 || i >= s.Len() {
		return judgement.Pair{}, false
	}
	p, err := s.List.at(s.Number(i))
	if err != nil {
		s.Message = err.Error()
	}
	return p, err == nil
}

var verdictOf = map[string]judgement.Verdict{"a": judgement.KeepA, "b": judgement.KeepB, "2": judgement.Both, "0": judgement.Neither}

// Press does what a key means. Keys are named as in Bubble Tea: "a", "enter", "left".
func (s *Session) Press(key string) Effect {
	if s.Asking != 0 {
		return s.answer(key)
	}
	s.Message = ""
	if v, ok := verdictOf[key]; ok {
		return s.decide(v)
	}
	switch key {
	case "s", "right", "enter":
		s.move(1)
	case "p", "left":
		s.move(-1)
	case "g":
		s.nextGroup()
	default:
		return s.do(key)
	}
	return Nothing
}

// do does what a key means that goes to no pair at once.
func (s *Session) do(key string) Effect {
	switch key {
	case "u":
		return s.undo()
	case "/", "=":
		s.Asking, s.Typed = key[0], ""
	case "n":
		return s.again()
	case "q", "ctrl+c":
		return Quit
	default:
		return Unknown
	}
	return Nothing
}

func (s *Session) decide(v judgement.Verdict) Effect {
	p, ok := s.Pair()
	if s.Fixed {
		s.Message = "nothing is decided here: dupreview does"
	}
	if !ok || s.Fixed {
		return Nothing
	}
	replaces := s.Ledger.Of(p) != judgement.Undecided
	if err := s.Ledger.Decide(p, v); err != nil {
		s.Message = err.Error()
		return Nothing
	}
	if s.move(1); s.Message != "" {
		s.Message = v.String() + "; " + s.Message
	}
	if replaces {
		return Rewrote
	}
	return Appended
}

// farthest is how far away the pair of a decision that is undone is looked for.
const farthest = 1 << 16

// undo takes back the last decision and shows its pair.
func (s *Session) undo() Effect {
	p, err := s.Ledger.Undo()
	if err != nil {
		s.Message = err.Error()
		return Nothing
	}
	s.Message = "undone"
	for i := range min(s.Len(), farthest) { // most often it is the pair before
		for _, at := range []int{s.At - i, s.At + i} {
			if found, ok := s.pair(at); ok && found.Sides() == p.Sides() {
				s.At = at
				return Rewrote
			}
		}
	}
	return Rewrote
}
