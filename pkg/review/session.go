// Package review lets a person review pairs of records. A [List] holds the pairs, possibly millions
// of them, some of which may not have been read yet. A [Session] handles the keystrokes. The
// decisions and their file are in package judgement; the caller draws the screen.
//
// The lines of pairs are kept in a scratch file; only their offsets and scores, 16 bytes per pair,
// are in memory. Reading a pair back takes a microsecond, and parsing a line takes about 300 ns.
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

// A Session holds the state of a person's review of a list: the position, the open question, and
// the message to show. [Session.Press] updates this state for each key. It does not draw the screen
// or write decisions to their file, but returns an Effect that tells the caller what to do.
type Session struct {
	List    *List
	Ledger  *judgement.Ledger
	Order   []int32 // numbers of the pairs in display order; nil for input order
	At      int     // position of the shown pair in display order
	Cut     float64 // threshold whose precision is to be judged, if HasCut is true
	HasCut  bool
	Asking  byte // open question: '/' for a word to search for, '=' for a score, 0 for none
	Typed   string
	Query   string // last search
	Message string
}

// An Effect tells the caller of Press what a key has changed or what to do next.
type Effect byte

// The effects.
const (
	Nothing  Effect = iota
	Appended        // the ledger has one more judgement at its end
	Rewrote         // the ledger changed in another way
	Find            // the caller must search for Query after the shown pair
	Quit
	Unknown // the session does not know the key
)

// Len returns the number of pairs that can be shown.
func (s *Session) Len() int {
	if s.Order != nil {
		return len(s.Order)
	}
	return s.List.Status().Pairs
}

// Number returns the list index of the pair at position i in display order.
func (s *Session) Number(i int) int {
	if s.Order != nil {
		return int(s.Order[i])
	}
	return i
}

// Pair returns the shown pair, or false if no pair is shown.
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

// farthest limits how far from the shown pair, in positions, Press searches for the pair of an
// undone decision.
const farthest = 1 << 16

// Press handles a key. Keys are named as in Bubble Tea: "a", "enter", "left".
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
	case "g": // go to the next pair with a different record A (in decisions, the kept record)
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
		// Search outwards, because the pair is usually the one before the shown pair.
		for i := range min(s.Len(), farthest) {
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
		return s.repeatSearch()
	case "q", "ctrl+c":
		return Quit
	default:
		return Unknown
	}
	return Nothing
}

// answer handles a key while the session asks for a word to search for or a score to go to.
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
		return s.repeatSearch()
	case key == "enter":
		s.Asking = 0
		x, err := strconv.ParseFloat(strings.TrimSpace(s.Typed), 64)
		if err != nil {
			s.Message = fmt.Sprintf("invalid score %q: want a number", s.Typed)
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

// repeatSearch asks the caller to find the next pair that matches Query.
func (s *Session) repeatSearch() Effect {
	if s.Query == "" {
		s.Message = "no search yet: / starts one"
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
		s.Message = "no more pairs have been read yet"
	}
}

func (s *Session) decide(v judgement.Verdict) Effect {
	p, ok := s.Pair()
	if !ok {
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

// Stood returns the position at which a new run resumes the review: the position after the last
// judged pair. It waits until all judged pairs have been read, or the list has ended. If pairs are
// ordered by their distance from a threshold, it returns the position of the first pair that has
// not been judged, because the earlier run may have had another threshold.
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

// Texts looks up the text of a record by its id.
type Texts interface {
	Text(id []byte) ([]byte, error)
}

// Search returns the position of the next pair whose ids or texts contain a string. It starts after
// a given position and wraps around at the end of the list. It returns -1 if there is no such pair,
// or if ctx is cancelled before such a pair is found. Search does not change the session, so it can
// run in the background on a copy.
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
