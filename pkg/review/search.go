package review

import (
	"bytes"
	"context"
)

// Texts gives the text of a record by its id.
type Texts interface {
	Text(id []byte) ([]byte, error)
}

// Search returns which pair shown behind from, and then from the start, has the query
// in an id or a text, or -1. It reads texts until it finds one, and ends early, with -1,
// when ctx does. It changes nothing of the session, which may go on meanwhile.
func (s *Session) Search(ctx context.Context, texts Texts, query string, from int) int {
	n, q := s.Len(), []byte(query)
	for step := 1; step <= n && ctx.Err() == nil; step++ {
		i := (from + step) % n
		p, err := s.List.at(s.Number(i))
		if err == nil && (has(texts, p.A, q) || has(texts, p.B, q)) {
			return i
		}
	}
	return -1
}

func has(texts Texts, id string, q []byte) bool {
	if bytes.Contains([]byte(id), q) {
		return true
	}
	text, err := texts.Text([]byte(id))
	return err == nil && bytes.Contains(text, q)
}
