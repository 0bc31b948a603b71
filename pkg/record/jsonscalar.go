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

// number passes a number as RFC 8259 writes it.
func (s *scanner) number(i int) int {
	if i < len(s.data) && s.data[i] == '-' {
		i++
	}
	whole := s.digits(i)
	if whole == i || s.data[i] == '0' && whole > i+1 {
		return s.unexpected(i)
	}
	if i = whole; i < len(s.data) && s.data[i] == '.' {
		if i = s.digits(i + 1); i == whole+1 {
			return s.unexpected(i)
		}
	}
	if i < len(s.data) && s.data[i]|0x20 == 'e' {
		return s.exponent(i + 1)
	}
	return i
}

func (s *scanner) exponent(i int) int {
	if i < len(s.data) && (s.data[i] == '+' || s.data[i] == '-') {
		i++
	}
	end := s.digits(i)
	if end == i {
		return s.unexpected(i)
	}
	return end
}

func (s *scanner) digits(i int) int {
	for i < len(s.data) && '0' <= s.data[i] && s.data[i] <= '9' {
		i++
	}
	return i
}
