package review

import (
	"fmt"
	"strconv"
	"strings"
)

// answer takes a key while something is asked.
func (s *Session) answer(key string) Effect {
	switch {
	case key == "esc" || key == "ctrl+c":
		s.Asking = 0
	case key == "enter":
		return s.answered()
	case key == "backspace":
		if r := []rune(s.Typed); len(r) > 0 {
			s.Typed = string(r[:len(r)-1])
		}
	case key == "space":
		s.Typed += " "
	case len([]rune(key)) == 1:
		s.Typed += key
	}
	return Nothing
}

func (s *Session) answered() Effect {
	asked := s.Asking
	if s.Asking = 0; asked == '=' {
		s.jump()
		return Nothing
	}
	if s.Typed != "" {
		s.Query = s.Typed
	}
	return s.again()
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

// jump goes to the pair whose score is closest to what was typed.
func (s *Session) jump() {
	x, err := strconv.ParseFloat(strings.TrimSpace(s.Typed), 64)
	if err != nil {
		s.Message = fmt.Sprintf("%q is no score", s.Typed)
		return
	}
	n := s.List.closest(x)
	if n < 0 {
		s.Message = "no pair has a score"
		return
	}
	for i := range s.Len() {
		if s.Number(i) == n {
			s.At = i
			return
		}
	}
}
