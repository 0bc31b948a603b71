package mail

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// inline lists the elements whose tags may occur within a word.
var inline = set("a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd label mark nobr o:p q s samp small span strike strong sub sup tt u var wbr")

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
	name string
	visibility
	quoted bool // its content is quoted
}

// maxOpen is the maximum number of open elements that are tracked, so that an end tag takes a
// bounded time.
const maxOpen = 512

// A page converts HTML to lines.
type page struct {
	lines   []Line
	last    int // number of the last line with a source, -1 for none
	line    []byte
	source  []byte   // markup that belongs to no line yet
	markup  Markup   // of source
	nesting []string // names of the open elements, without those that need no end tag
	inside  bool     // the line continues the shown line of the last one
	row     bool     // a row of a table has begun, and none of its cells
	spaced  bool     // white space may be shown as it is
	open    []element
	quote   bool   // the rest of the page is quoted
	link    string // target of the open link, or ""
	label   int    // start of the link's text in line; -1 if the line has ended

	hiddenNames map[string]bool // whether style sheets hide the elements that a selector names
}

// htmlLines returns the text of HTML without tags, comments, scripts, styles and hidden elements, and
// with character references decoded, and the targets of its links and images. A tag that is not
// inline ends a line. The content of a script that is never closed is not shown.
func htmlLines(text []byte) []Line {
	p := page{last: -1, markup: Markup{Look: Simple}}
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			p.addSource(raw, false)
			p.endLink()
			p.endLine()
			p.closeLine()
			if p.spaced {
				p.keepSpace()
			}
			return p.lines
		case html.TextToken:
			p.addText(raw)
			if name := p.state().name; p.state().showsText() {
				if name == "table" || name == "tbody" || name == "tr" {
					p.markup.raise(Styled) // text outside of a cell is shown before the table
				}
				p.line = append(p.line, z.Text()...)
			}
		case html.CommentToken, html.DoctypeToken:
			p.addSource(raw, false)
			if kind == html.CommentToken {
				p.markup.raise(commentLook(raw))
			}
		default:
			raw = bytes.Clone(raw) // TagName changes it
			b, hasAttr := z.TagName()
			name := string(b)
			attr := map[string]string{}
			for hasAttr {
				var key, value []byte
				key, value, hasAttr = z.TagAttr()
				if _, known := attr[string(key)]; !known {
					attr[string(key)] = string(value)
				}
			}
			p.tag(name, attr, kind, raw)
			if kind == html.StartTagToken && fallback[name] {
				z.NextIsNotRawText()
			}
		}
	}
}

// spaced lists the elements whose white space is shown as it is.
var spaced = set("listing plaintext pre textarea xmp")

// setsSpace reports whether a style may say how white space is shown.
func setsSpace(style string) bool {
	return strings.Contains(strings.ToLower(style), "white-space")
}

// keepSpace makes all white space of the page count, but not that at its end.
func (p *page) keepSpace() {
	for i := range p.lines {
		p.lines[i].Markup.Spaced = true
	}
	if p.last >= 0 {
		last := &p.lines[p.last]
		last.Source = bytes.TrimSpace(last.Source)
	}
}

// countedSpace is added to the code of white space that counts, which makes it a character for private use.
const countedSpace = 0xf0000

// addSource appends HTML to the source. In it, white space separates words only, with two exceptions:
// white space that is not ASCII is shown, and in a tag, the value of an attribute may contain white space.
func (p *page) addSource(raw []byte, isTag bool) {
	quote, last := rune(0), rune(0)
	hasValue := isTag && bytes.ContainsAny(raw, `"'`)
	if !hasValue && isASCII(raw) {
		p.source = append(p.source, raw...)
		return
	}
	for at := 0; at < len(raw); {
		r, n := utf8.DecodeRune(raw[at:])
		switch {
		case quote != 0 && r == '\r' && bytes.HasPrefix(raw[at:], []byte("\r\n")):
		case unicode.IsSpace(r) && (quote != 0 || r >= utf8.RuneSelf):
			p.source = utf8.AppendRune(p.source, countedSpace+r)
		default:
			p.source = append(p.source, raw[at:at+n]...)
		}
		switch {
		case !hasValue || unicode.IsSpace(r):
		case quote == 0 && last == '=' && (r == '"' || r == '\''):
			quote = r
		case r == quote:
			quote = 0
		}
		if !unicode.IsSpace(r) {
			last = r
		}
		at += n
	}
}

func isASCII(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

func (p *page) state() element {
	if len(p.open) == 0 {
		return element{}
	}
	return p.open[len(p.open)-1]
}

// addText adds raw text to the source. The content of a style sheet may change what is shown.
func (p *page) addText(raw []byte) {
	p.addSource(raw, false)
	if p.state().name == "style" {
		p.readStyles(string(raw))
		look := styleLook(string(raw))
		if look == Styled {
			look = Global
		}
		p.markup.raise(look)
	}
}

func (p *page) endLine() {
	if len(bytes.TrimSpace(p.line)) > 0 {
		kind := Own
		if p.quote || p.state().quoted {
			kind = Quoted
		}
		if bytes.ContainsFunc(p.line, isUnseen) {
			p.markup.raise(Styled) // such a character can change the order of others
		}
		first := len(p.lines)
		for line := range bytes.Lines(stripUnseen(p.line)) {
			p.lines = append(p.lines, Line{Kind: kind, Text: bytes.TrimRight(line, "\r\n"), Markup: Markup{Look: Simple, Inside: true}})
		}
		if first < len(p.lines) {
			p.markup.Inside = p.inside
			p.lines[first].Source, p.lines[first].Markup = p.source, p.markup
			p.last = first
			p.source, p.markup, p.inside = nil, Markup{Look: Simple}, true
		}
	}
	p.line, p.label = nil, -1
}

// closeLine adds the source that belongs to no line to the last line that has a source.
func (p *page) closeLine() {
	if len(p.source) == 0 {
		return
	}
	if p.last < 0 {
		p.last = len(p.lines)
		p.lines = append(p.lines, Line{})
		p.lines[p.last].Markup.Look = Simple
	}
	l := &p.lines[p.last]
	l.Source = append(l.Source, p.source...)
	l.Markup.Lowest = min(l.Markup.Lowest, l.Markup.Depth+p.markup.Lowest)
	l.Markup.Depth += p.markup.Depth
	l.Markup.raise(p.markup.Look)
	p.source, p.markup = nil, Markup{Look: Simple}
}

// tag handles a start tag or an end tag.
func (p *page) tag(name string, attr map[string]string, kind html.TokenType, raw []byte) {
	if kind == html.EndTagToken {
		p.endTag(name, raw)
		return
	}
	if !inline[name] {
		p.endLine()
		isCell := name == "td" || name == "th"
		p.inside = isCell && !p.row
		if p.inside {
			p.markup.raise(Styled) // its column says something, too
		}
		p.row = !isCell && (p.row || name == "tr")
	}
	for len(p.open) > 0 && closedBy[p.state().name][name] {
		p.open = p.open[:len(p.open)-1]
	}
	above := p.state()
	e := element{name, p.visibilityOf(name, attr), above.quoted || isQuote(name, attr)}
	p.quote = p.quote || startsQuote(attr)
	p.spaced = p.spaced || spaced[name] || setsSpace(attr["style"])
	if !e.hidden {
		p.startTarget(name, attr)
	}
	p.addSource(raw, true)
	p.markup.raise(tagLook(name, attr))
	if above.quoted && isQuote(name, attr) {
		p.markup.raise(Styled)
	}
	if !void[name] && kind == html.SelfClosingTagToken {
		p.markup.raise(Global) // programs disagree whether the element is open
	}
	if !void[name] && kind == html.StartTagToken {
		if len(p.open) < maxOpen {
			p.open = append(p.open, e)
		}
		if name != "html" && name != "body" {
			p.nesting = append(p.nesting, name)
			p.markup.Depth++
		}
	}
}

// endTag handles an end tag. If no text precedes it in its line, it belongs to the line before.
func (p *page) endTag(name string, raw []byte) {
	if name != "html" && name != "body" {
		p.addSource(raw, true)
		if len(p.nesting) > 0 && p.nesting[len(p.nesting)-1] == name {
			p.nesting = p.nesting[:len(p.nesting)-1]
		} else {
			p.markup.raise(Global)
		}
		p.markup.Depth--
		p.markup.Lowest = min(p.markup.Lowest, p.markup.Depth)
	}
	if !inline[name] {
		p.endLine()
		p.inside = false
	}
	if name == "a" {
		p.endLink()
	}
	if len(bytes.TrimSpace(p.line)) == 0 && len(p.lines) > 0 && p.markup.Depth < 0 {
		p.closeLine()
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i].name == name {
			p.open = p.open[:i]
			break
		}
	}
}

// targetAttributes lists the attributes, besides href and src, with the targets of images and forms.
var targetAttributes = []string{"action", "background", "data", "formaction", "poster", "srcset", "xlink:href"}

// startTarget handles the targets of a link, an image or a form.
func (p *page) startTarget(name string, attr map[string]string) {
	if name == "a" || name == "area" {
		p.endLink()
		p.link, p.label = attr["href"], len(p.line)
		if name == "area" {
			p.endLink()
		}
		return
	}
	small := func(size string) bool {
		return strings.TrimSuffix(size, "px") == "0" || strings.TrimSuffix(size, "px") == "1"
	}
	if small(attr["width"]) || small(attr["height"]) {
		return
	}
	p.addTarget(attr["src"])
	for _, key := range targetAttributes {
		p.addTarget(attr[key])
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
	} else if shown != target {
		p.markup.raise(Styled)
	}
	p.link = ""
}

// targetSpace replaces white space in a target as browsers do.
var targetSpace = strings.NewReplacer(" ", "%20", "\t", "", "\n", "", "\r", "")

// addTarget adds the target of a link or an image. The target "cid:" is an attachment, which is
// compared as such.
func (p *page) addTarget(target string) {
	target = targetSpace.Replace(strings.TrimSpace(target))
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
	p.lines = append(p.lines, Line{Kind: Target, Text: []byte(target), Markup: Markup{Look: Simple, Inside: true}})
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
