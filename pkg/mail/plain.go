package mail

import "bytes"

// Plain returns the two texts that the recipe
//
//	(formail -x Subject: | cut -c2-71; formail -I "")
//
// makes of a message: the lines of the subject, each without its first byte and
// cut to 70 bytes, and an empty line; and the body as it is.
func Plain(message []byte) (subject, body []byte) {
	header, body := Split(message)
	for name, value := range header.All() {
		if bytes.EqualFold(name, []byte("Subject")) {
			subject = appendCut(subject, value)
		}
	}
	return append(subject, '\n'), body
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
