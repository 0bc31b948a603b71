package jsonstr

// SkipNumber returns where the number at i ends, as RFC 8259 writes one, or, if ok is
// false, where it is none any more.
func SkipNumber(data []byte, i int) (end int, ok bool) {
	if i < len(data) && data[i] == '-' {
		i++
	}
	whole := skipDigits(data, i)
	if whole == i || data[i] == '0' && whole > i+1 {
		return i, false
	}
	if i = whole; i < len(data) && data[i] == '.' {
		if i = skipDigits(data, i+1); i == whole+1 {
			return i, false
		}
	}
	if i == len(data) || data[i]|0x20 != 'e' {
		return i, true
	}
	if i++; i < len(data) && (data[i] == '+' || data[i] == '-') {
		i++
	}
	end = skipDigits(data, i)
	return end, end > i
}

func skipDigits(data []byte, i int) int {
	for i < len(data) && '0' <= data[i] && data[i] <= '9' {
		i++
	}
	return i
}
