package mail

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// inline lists the elements whose tags may occur within a word.
var inline = set("a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr o:p q s samp small span strike strong sub sup tt u var wbr")

// hidden lists the elements whose content is not shown.
var hidden = set("script style template title")

// fallback lists the elements with fallback content for programs without scripts or frames. Their
// content is parsed as markup, although the tokenizer treats it as text by default.
var fallback = set("iframe noembed noframes noscript")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// htmlText returns the text of HTML without tags, comments, scripts and styles, and with character
// references decoded. A tag that is not inline ends a line. The content of a hidden element that is
// never closed is not shown.
func htmlText(page []byte) []byte {
	out := make([]byte, 0, len(page)/2)
	within := "" // name of the enclosing hidden element
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return out
		case html.TextToken:
			if within == "" {
				out = append(out, z.Text()...)
			}
		case html.CommentToken, html.DoctypeToken:
		default:
			b, _ := z.TagName()
			name := string(b)
			if within == "" && !inline[name] {
				out = append(out, '\n')
			}
			switch {
			case kind == html.EndTagToken && name == within:
				within = ""
			case kind == html.StartTagToken && within == "" && hidden[name]:
				within = name
			case kind == html.StartTagToken && within == "" && fallback[name]:
				z.NextIsNotRawText()
			}
		}
	}
}
