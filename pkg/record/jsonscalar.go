package record

import "doppel/pkg/record/jsonstr"

// str passes the string whose quote is at i.
func (s *scanner) str(i int) int {
	i = jsonstr.Skip(s.data, i+1)
	switch {
	case i >= len(s.data):
		return s.fail(errEnd)
	case s.data[i] == '"':
		return i + 1
	case s.data[i] == '\\':
		return s.badEscape(i)
	}
	return s.unexpected(i)
}

// badEscape tells what is wrong with the escape whose backslash is at i.
func (s *scanner) badEscape(i int) int {
	if i++; i >= len(s.data) {
		return s.fail(errEnd)
	}
	if s.data[i] != 'u' {
		return s.unexpected(i)
	}
	for i++; i < len(s.data) && jsonstr.Hex(s.data[i]) >= 0; {
		i++
	}
	return s.unexpected(i)
}

// number passes a number.
func (s *scanner) number(i int) int {
	end, ok := jsonstr.SkipNumber(s.data, i)
	if !ok {
		return s.unexpected(end)
	}
	return end
}
