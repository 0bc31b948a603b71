package record

import "doppel/pkg/record/jsonstr"

// str passes the string whose quote is at i.
func (s *scanner) str(i int) int {
	for i++; ; {
		i = jsonstr.Skip(s.data, i)
		if i >= len(s.data) {
			return s.fail(errEnd)
		}
		switch s.data[i] {
		case '"':
			return i + 1
		case '\\':
			if i = s.escape(i); i < 0 {
				return i
			}
		default:
			return s.unexpected(i)
		}
	}
}

// escape passes the escape whose backslash is at i.
func (s *scanner) escape(i int) int {
	if i+1 >= len(s.data) {
		return s.fail(errEnd)
	}
	switch s.data[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for j := i + 2; j < i+6; j++ {
			if j >= len(s.data) || jsonstr.Hex(s.data[j]) < 0 {
				return s.unexpected(j)
			}
		}
		return i + 6
	}
	return s.unexpected(i + 1)
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
