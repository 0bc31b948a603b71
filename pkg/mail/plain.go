package mail

import "bytes"

// Plain returns the bytes of a message that the recipe
//
//	(formail -x Subject: | cut -c2-71; formail -I "")
//
// makes of it: the lines of the subject, each without its first byte and cut to
// 70 bytes, and the body as it is.
func Plain(message []byte) []byte {
	header, body := Split(message)
	text := make([]byte, 0, len(body)+128)
	for name, value := range header.All() {
		if bytes.EqualFold(name, []byte("Subject")) {
			text = appendCut(text, value)
		}
	}
	return append(append(text, '\n'), body...)
}

func appendCut(dst, value []byte) []byte {
	for line := range bytes.Lines(value) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > 0 {
			dst = append(dst, line[1:min(len(line), 71)]...)
		}
		dst = append(dst, '\n')
	}
	return dst
}
