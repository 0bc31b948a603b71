package mail

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A Look says how much is known of the way in which HTML is shown.
type Look uint8

const (
	Unmarked Look = iota // plain text
	Simple               // the words of the text and the targets of its links are shown, and nothing else
	Styled               // the markup may add to what is shown, or hide some of it
	Global               // the markup may change how other parts of the page are shown
)

// A Markup describes the source of a line of HTML.
type Markup struct {
	Look   Look
	Inside bool // the line continues the shown line of the one before
	Spaced bool // all white space of the source counts
	Depth  int  // number of start tags less the number of end tags
	Lowest int  // minimum of this number within the source, at most 0
}

func (m *Markup) raise(l Look) { m.Look = max(m.Look, l) }

var (
	// simpleTags lists the elements that only arrange text.
	simpleTags = set("a b blockquote body br center div em font h1 h2 h3 h4 h5 h6 head hr html i meta p span strong style table tbody tr td u")
	// localTags lists the other elements that change only how their content is shown.
	localTags = set("code dd dl dt footer header img li ol s section small sub sup th thead tt ul pre")
	// simpleAttributes lists the attributes, besides href and style, that do not change which words are
	// shown.
	simpleAttributes = set("align border cellpadding cellspacing charset class lang target valign width xmlns")
	// simpleProperties lists the properties of style sheets that do not change which words are shown,
	// besides those of which only some values do.
	simpleProperties = set("border border-bottom border-collapse border-left border-right border-style border-top border-width font-style font-weight text-align")
	// distances lists the properties that move text.
	distances = set("margin margin-bottom margin-left margin-right margin-top padding padding-bottom padding-left padding-right padding-top")
	// textFonts lists fonts whose letters are letters.
	textFonts = set("arial calibri cambria candara consolas corbel courier garamond georgia geneva helvetica helveticaneue inherit initial monospace palatino roboto sans-serif segoeui serif tahoma times timesnewroman trebuchetms verdana couriernew lucidaconsole lucidagrande opensans sansserif ui-sans-serif ui-monospace ui-serif system-ui -apple-system blinkmacsystemfont ubuntu cantarell lato aptos menlo monaco noto notosans liberationsans dejavusans")
)

// tagLook returns the look of a start tag.
func tagLook(name string, attr map[string]string) Look {
	look := Simple
	switch {
	case localTags[name]:
		look = Styled
	case !simpleTags[name]:
		return Global
	}
	for key, value := range attr {
		switch {
		case key == "style":
			look = max(look, styleLook(value))
		case key == "align" && name == "table" && !strings.EqualFold(value, "center"):
			look = max(look, Styled) // the text that follows is shown beside it
		case key == "href" && name == "a", simpleAttributes[key] && value != "0":
		case name == "meta" && (key == "content" || key == "http-equiv" && strings.EqualFold(value, "content-type")):
		case name == "meta", strings.HasPrefix(key, "on"):
			return Global
		default:
			look = max(look, Styled)
		}
	}
	return look
}

var (
	// plainValue matches the values of properties that neither move nor hide anything.
	plainValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9 .,%#"']*$`) })
	// shortDistance matches distances that leave text on the screen.
	shortDistance = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:auto|[0-9]{0,2}(?:\.[0-9]+)?(?:px|pt|%)?|[0-9]?(?:\.[0-9]+)?(?:em|rem|ex|in|cm)) )*$`)
	})
	// oddValue matches large numbers.
	oddValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[2-9][0-9]{2}|[0-9]{4}`) })
)

// darkColor matches colors that can be read on a white ground.
var darkColor = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:black|windowtext|#[0-9][0-9][0-9]|#(?:[0-9].){3})$`)
})

// styleLook returns the look of a style sheet, or of the attribute style.
func styleLook(style string) Look {
	look := Simple
	for _, rule := range strings.FieldsFunc(style, func(r rune) bool { return r == '{' || r == '}' }) {
		if !strings.Contains(rule, ":") && !strings.ContainsAny(rule, "@\\/<") {
			continue // a selector
		}
		for name, value := range declarations(rule) {
			switch {
			case name == "font-family":
				look = max(look, fontLook(value))
			case distances[name]:
				if !shortDistance().MatchString(strings.Join(append(strings.Fields(value), ""), " ")) {
					return Global
				}
			case !plainValue().MatchString(value), name != "color" && oddValue().MatchString(value):
				return Global
			case simpleProperties[name] && !strings.HasPrefix(value, "."), name == "color" && darkColor().MatchString(value), name == "font-size" && isReadable(value):
			case name == "color", name == "background", name == "background-color", name == "border-color", name == "line-height":
				look = max(look, Styled)
			default:
				return Global
			}
		}
	}
	return look
}

// fontLook returns the look of a list of fonts. The letters of some fonts are pictures.
func fontLook(fonts string) Look {
	for font := range strings.SplitSeq(fonts, ",") {
		if !textFonts[strings.Map(func(r rune) rune {
			if strings.ContainsRune(` "'`, r) {
				return -1
			}
			return r
		}, font)] {
			return Styled
		}
	}
	return Simple
}

// isReadable reports whether a font size is not too small to read.
func isReadable(size string) bool {
	number := strings.TrimRight(size, "ptxemr%")
	value, err := strconv.ParseFloat(number, 64)
	switch size[len(number):] {
	case "px", "pt":
		return err == nil && value >= 6 && value < 100
	case "em", "rem":
		return err == nil && value >= .5 && value < 10
	}
	return size == "small" || size == "medium" || size == "large"
}

// commentLook returns the look of a comment. Some programs show the content of comments with
// brackets.
func commentLook(comment []byte) Look {
	if bytes.ContainsAny(comment, "[]") {
		return Global
	}
	return Styled
}
