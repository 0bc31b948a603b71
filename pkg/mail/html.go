package mail

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// inline lists the elements whose tags may occur within a word.
var inline = set("a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd label mark nobr o:p q s samp small span strike strong sub sup tt u var wbr")

// hidden lists the elements whose content is not shown.
var hidden = set("script style template title")

// fallback lists the elements with fallback content for programs without scripts or frames. Their
// content is parsed as markup, although the tokenizer treats it as text by default.
var fallback = set("iframe noembed noframes noscript")

// void lists the elements without an end tag.
var void = set("area base br col embed hr img input link meta param source track wbr")

// closedBy lists, for elements whose end tag may be missing, the start tags that end them.
var closedBy = map[string]map[string]bool{
	"p":      set("address blockquote center div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td th tr ul"),
	"li":     set("li"),
	"dt":     set("dd dt"),
	"dd":     set("dd dt"),
	"option": set("option optgroup"),
	"td":     set("td th tr tbody"),
	"th":     set("td th tr tbody"),
	"tr":     set("tr tbody"),
}

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// An element is an open element of a page.
type element struct {
	name   string
	hidden bool // its content is not shown
	quoted bool // its content is quoted
}

// maxOpen is the maximum number of open elements that are tracked, so that an end tag takes a
// bounded time.
const maxOpen = 512

// A page converts HTML to lines.
type page struct {
	lines []Line
	line  []byte
	open  []element
	quote bool   // the rest of the page is quoted
	link  string // target of the open link, or ""
	label int    // start of the link's text in line; -1 if the line has ended
}

// htmlLines returns the text of HTML without tags, comments, scripts, styles and hidden elements, and
// with character references decoded, and the targets of its links and images. A tag that is not
// inline ends a line. The content of a script that is never closed is not shown.
func htmlLines(text []byte) []Line {
	var p page
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			p.endLink()
			p.endLine()
			return p.lines
		case html.TextToken:
			if !p.state().hidden {
				p.text(z.Text())
			}
		case html.CommentToken, html.DoctypeToken:
		default:
			b, hasAttr := z.TagName()
			name := string(b)
			attr := map[string]string{}
			for hasAttr {
				var key, value []byte
				key, value, hasAttr = z.TagAttr()
				attr[string(key)] = string(value)
			}
			p.tag(name, attr, kind)
			if kind == html.StartTagToken && fallback[name] {
				z.NextIsNotRawText()
			}
		}
	}
}

func (p *page) state() element {
	if len(p.open) == 0 {
		return element{}
	}
	return p.open[len(p.open)-1]
}

// text adds text to the line. Its line ends are white space, as in HTML.
func (p *page) text(text []byte) { p.line = append(p.line, text...) }

func (p *page) endLine() {
	if len(bytes.TrimSpace(p.line)) > 0 {
		kind := Own
		if p.quote || p.state().quoted {
			kind = Quoted
		}
		for line := range bytes.Lines(stripUnseen(p.line)) {
			p.lines = append(p.lines, Line{kind, bytes.TrimRight(line, "\r\n")})
		}
	}
	p.line, p.label = nil, -1
}

// tag handles a start tag or an end tag.
func (p *page) tag(name string, attr map[string]string, kind html.TokenType) {
	if !inline[name] {
		p.endLine()
	}
	if kind == html.EndTagToken {
		if name == "a" {
			p.endLink()
		}
		for i := len(p.open) - 1; i >= 0; i-- {
			if p.open[i].name == name {
				p.open = p.open[:i]
				break
			}
		}
		return
	}
	for len(p.open) > 0 && closedBy[p.state().name][name] {
		p.open = p.open[:len(p.open)-1]
	}
	e := element{name: name, hidden: p.state().hidden || hidden[name] || isHidden(attr), quoted: p.state().quoted || isQuote(name, attr)}
	p.quote = p.quote || startsQuote(attr)
	if !e.hidden {
		p.startTarget(name, attr)
	}
	if !void[name] && kind == html.StartTagToken && len(p.open) < maxOpen {
		p.open = append(p.open, e)
	}
}

// startTarget handles the target of a link, an image or a form.
func (p *page) startTarget(name string, attr map[string]string) {
	switch name {
	case "a", "area":
		p.endLink()
		p.link, p.label = attr["href"], len(p.line)
		if name == "area" {
			p.endLink()
		}
	case "form":
		p.addTarget(attr["action"])
	case "img", "iframe", "embed", "video", "audio", "source":
		small := func(size string) bool {
			return strings.TrimSuffix(size, "px") == "0" || strings.TrimSuffix(size, "px") == "1"
		}
		if !small(attr["width"]) && !small(attr["height"]) {
			p.addTarget(attr["src"])
		}
	}
}

// endLink adds the target of the open link, unless the text of the link shows it.
func (p *page) endLink() {
	if p.link == "" {
		return
	}
	shown := ""
	if p.label >= 0 && p.label <= len(p.line) {
		shown = strings.TrimSpace(string(p.line[p.label:]))
	}
	if target := strings.TrimPrefix(p.link, "mailto:"); shown == "" || !strings.EqualFold(shown, target) && !strings.EqualFold("http://"+shown, strings.TrimSuffix(target, "/")) {
		p.addTarget(p.link)
	}
	p.link = ""
}

// addTarget adds the target of a link or an image. The target "cid:" is an attachment, which is
// compared as such.
func (p *page) addTarget(target string) {
	target = strings.Join(strings.Fields(target), "")
	if target == "" || strings.HasPrefix(target, "cid:") || strings.HasPrefix(target, "#") {
		return
	}
	if rest := bytes.Clone(p.line); len(bytes.TrimSpace(rest)) > 0 {
		label := p.label
		p.endLine()
		if label >= 0 {
			p.label = 0
		}
	}
	p.lines = append(p.lines, Line{Target, []byte(target)})
}

// isQuote reports whether an element contains quoted text.
func isQuote(name string, attr map[string]string) bool {
	return name == "blockquote" || strings.Contains(attr["class"], "gmail_quote") || strings.Contains(attr["class"], "yahoo_quoted")
}

// startsQuote reports whether all that follows an element is quoted. Outlook puts these elements
// before the message that it quotes, not around it.
func startsQuote(attr map[string]string) bool {
	return attr["id"] == "divRplyFwdMsg" || attr["id"] == "appendonsend"
}

// isHidden reports whether the attributes of an element hide it.
func isHidden(attr map[string]string) bool {
	if _, ok := attr["hidden"]; ok {
		return true
	}
	for rule := range strings.SplitSeq(strings.ToLower(attr["style"]), ";") {
		name, value, _ := strings.Cut(rule, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		zero := strings.TrimRight(value, "ptxemr%") == "0"
		switch name {
		case "display", "visibility", "mso-hide":
			if value == "none" || value == "hidden" || value == "all" {
				return true
			}
		case "font-size", "max-height", "max-width", "width", "height", "opacity":
			if zero {
				return true
			}
		}
	}
	return false
}
