// Package review is what happens while a person decides pairs of records, without
// the screen: the pairs, which may be millions and still be coming (List); what has
// been decided, and its file (package judgement); and the keys (Session).
//
// Pairs come as lines and stay lines, in a scratch file; in memory are their places
// and scores, 16 bytes a pair, so a million of them take 16 MB and any is read back in
// a microsecond. Parsing takes about 300 ns a line.
package review

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/review/judgement"
)

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

// farthest is how far away the pair of a decision that is undone is looked for.
const farthest = 1 << 16

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
	case "g": // the next pair of another first record: in decisions, of another one that is kept
		from, ok := s.Pair()
		for i := s.At + 1; ok && i < s.Len(); i++ {
			if p, met := s.pair(i); met && p.A != from.A {
				s.At = i
				return Nothing
			}
		}
		if ok {
			s.Message = "this is the last group"
		}
	case "u":
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

// answer takes a key while something is asked: a word, or the score of the pair to go to.
func (s *Session) answer(key string) Effect {
	switch r := []rune(key); {
	case key == "esc" || key == "ctrl+c":
		s.Asking = 0
	case key == "backspace" && s.Typed != "":
		typed := []rune(s.Typed)
		s.Typed = string(typed[:len(typed)-1])
	case key == "space":
		s.Typed += " "
	case len(r) == 1:
		s.Typed += key
	case key == "enter" && s.Asking == '/':
		if s.Asking = 0; s.Typed != "" {
			s.Query = s.Typed
		}
		return s.again()
	case key == "enter":
		s.Asking = 0
		x, err := strconv.ParseFloat(strings.TrimSpace(s.Typed), 64)
		if err != nil {
			s.Message = fmt.Sprintf("%q is no score", s.Typed)
			return Nothing
		}
		n := s.List.closest(x)
		if n < 0 {
			s.Message = "no pair has a score"
		}
		for i := range s.Len() {
			if s.Number(i) == n {
				s.At = i
				break
			}
		}
	}
	return Nothing
}

// again asks for the next place of what is searched.
func (s *Session) again() Effect {
	if s.Query == "" {
		s.Message = "nothing was searched yet: / asks"
		return Nothing
	}
	s.Message = "searching"
	return Find
}

func (s *Session) move(by int) {
	switch to := s.At + by; {
	case to < 0:
		s.Message = "this is the first pair"
	case to < s.Len():
		s.At = to
	case s.List.Status().Ended:
		s.Message = "this is the last pair"
	default:
		s.Message = "no more pairs have come yet"
	}
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

// Stood returns where a second run goes on: behind the last pair shown that is decided.
// It waits for pairs until all that are decided were met, or all pairs. Of pairs that
// are ordered by a cut it is the first that is not decided, since the run before may have
// had another cut.
func (s *Session) Stood() int {
	next, open := 0, map[[2]string]bool{}
	for _, j := range s.Ledger.All() {
		open[j.Sides()] = true
	}
	for i := 0; len(open) > 0; i++ {
		if s.List.Wait(i); i >= s.Len() {
			break
		}
		if p, ok := s.pair(i); ok && open[p.Sides()] {
			delete(open, p.Sides())
			next = i + 1
		} else if s.HasCut {
			return i
		}
	}
	s.List.Wait(next)
	return min(next, max(0, s.Len()-1))
}

// Texts gives the text of a record by its id.
type Texts interface {
	Text(id []byte) ([]byte, error)
}

// Search returns which pair shown behind from, and then from the start, has the query
// in an id or a text, or -1. It reads texts until it finds one, and ends early, with -1,
// when ctx does. It changes nothing of the session, which may go on meanwhile.
func (s *Session) Search(ctx context.Context, texts Texts, query string, from int) int {
	n := s.Len()
	for step := 1; step <= n && ctx.Err() == nil; step++ {
		i := (from + step) % n
		p, err := s.List.at(s.Number(i))
		if err == nil && slices.ContainsFunc([]string{p.A, p.B}, func(id string) bool {
			if strings.Contains(id, query) {
				return true
			}
			text, err := texts.Text([]byte(id))
			return err == nil && bytes.Contains(text, []byte(query))
		}) {
			return i
		}
	}
	return -1
}
