package review

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

// move goes to another pair.
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

// nextGroup goes to the next pair of another first record: in decisions that is the
// one that is kept.
func (s *Session) nextGroup() {
	from, ok := s.Pair()
	if !ok {
		return
	}
	for i := s.At + 1; i < s.Len(); i++ {
		if p, ok := s.pair(i); ok && p.A != from.A {
			s.At = i
			return
		}
	}
	s.Message = "this is the last group"
}
