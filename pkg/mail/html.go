package mail

import (
	"bytes"
	"html"
	"strings"
)

// inline holds the elements that do not end a word where they stand.
var inline = set("a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr o:p q s samp small span strike strong sub sup tt u var wbr")

// hidden holds the elements whose content is not shown.
var hidden = set("script style template title")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// htmlText returns the text of HTML: without its tags, comments, scripts and
// styles, the character references replaced. A tag that is not inline ends a
// line. A tag ends at the first >; what is never closed is not shown. The time
// is linear whatever the markup is.
func htmlText(page []byte) []byte {
	out := make([]byte, 0, len(page)/2)
	for {
		n := bytes.IndexByte(page, '<')
		if n < 0 {
			break
		}
		out, page = append(out, page[:n]...), page[n:]
		t, rest := cutTag(page)
		switch {
		case rest == nil:
			out, page = append(out, '<'), page[1:]
			continue
		case hidden[t]:
			rest = afterElement(rest, t)
		}
		if t != "" && !inline[strings.TrimPrefix(t, "/")] {
			out = append(out, '\n')
		}
		page = rest
	}
	return []byte(html.UnescapeString(string(append(out, page...))))
}

// cutTag returns the name of the tag or comment that begins page, in lower case
// and with the slash of a closing one, and what follows it. The name of a
// comment is empty; if nothing begins there, the rest is nil.
func cutTag(page []byte) (name string, rest []byte) {
	end := page[len(page):]
	if comment, ok := bytes.CutPrefix(page, []byte("<!--")); ok {
		if _, rest, ok := bytes.Cut(comment, []byte("-->")); ok {
			return "", rest
		}
		return "", end
	}
	if len(page) < 2 || !isTagStart(page[1]) {
		return "", nil
	}
	tag, rest, ok := bytes.Cut(page[1:], []byte(">"))
	if !ok {
		return "", end
	}
	if n := bytes.IndexAny(tag[1:], " \t\r\n/"); n >= 0 {
		tag = tag[:n+1]
	}
	return strings.ToLower(string(tag)), rest
}

func isTagStart(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '/' || b == '!' || b == '?'
}

// afterElement returns what follows the closing tag of the named element.
func afterElement(page []byte, name string) []byte {
	for {
		n := bytes.Index(page, []byte("</"))
		if n < 0 {
			return page[len(page):]
		}
		page = page[n+2:]
		if len(page) >= len(name) && strings.EqualFold(string(page[:len(name)]), name) {
			_, rest, _ := bytes.Cut(page, []byte(">"))
			return rest
		}
	}
}
