package mail

import (
	"iter"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// hidden lists the elements whose content is not shown.
var hidden = set("script style template title")

// A visibility says whether an element and its text are shown. The elements within it inherit it.
type visibility struct {
	hidden    bool // nothing of its content is shown
	invisible bool // by the property visibility; elements within it can change this and the following
	tiny      bool // its letters are too small
	clear     bool // its letters are transparent
}

// showsText reports whether the text of the element is shown.
func (v visibility) showsText() bool { return !v.hidden && !v.invisible && !v.tiny && !v.clear }

// visibilityOf returns the visibility of an element in the element that is open. Only the attributes
// of the element count, and the style sheets that name it by its class or id.
func (p *page) visibilityOf(name string, attr map[string]string) visibility {
	v := p.state().visibility
	_, hides := attr["hidden"]
	clipped, small, display := false, false, ""
	for property, value := range declarations(attr["style"]) {
		switch property {
		case "display":
			display = value
		case "visibility":
			v.invisible = value == "hidden" || v.invisible && value != "visible"
		case "overflow":
			clipped = value == "hidden"
		case "font-size":
			v.tiny = isTiny(value, v.tiny)
		case "color":
			v.clear = value == "transparent"
		case "opacity":
			hides = hides || isZero(value)
		case "left", "margin-left", "text-indent", "top":
			hides = hides || farAway().MatchString(value)
		case "max-height", "max-width", "width", "height":
			small = small || isZero(value)
		}
	}
	if display == "" && p.isHiddenByClass(name, attr) {
		display = "none"
	}
	v.hidden = v.hidden || hidden[name] || hides || display == "none" || small && clipped
	return v
}

// farAway matches distances that move text out of the page.
var farAway = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-[0-9]{4}`) })

func isZero(size string) bool {
	number, err := strconv.ParseFloat(strings.TrimRight(size, "ptxemr%"), 64)
	return err == nil && number == 0
}

// isTiny reports whether letters of a given size are too small to read, in an element whose letters
// are, or are not.
func isTiny(size string, inTiny bool) bool {
	number := strings.TrimRight(size, "ptxemr%")
	value, err := strconv.ParseFloat(number, 64)
	switch unit := size[len(number):]; {
	case err != nil:
		return inTiny && size == "inherit"
	case unit == "em" || unit == "%":
		return inTiny || value == 0
	case unit == "rem":
		return value == 0
	}
	return value <= 1
}

// isHiddenByClass reports whether a style sheet hides an element.
func (p *page) isHiddenByClass(name string, attr map[string]string) bool {
	if len(p.hiddenNames) == 0 {
		return false
	}
	if id := "#" + strings.ToLower(attr["id"]); p.hiddenNames[id] || p.hiddenNames[name+id] {
		return true
	}
	for class := range strings.FieldsSeq(strings.ToLower(attr["class"])) {
		if p.hiddenNames["."+class] || p.hiddenNames[name+"."+class] {
			return true
		}
	}
	return false
}

var (
	styleComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)/\*.*?\*/|<!--|-->`) })
	// simpleSelector matches selectors such as ".preheader" and "div#top".
	simpleSelector = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]*[.#][a-z0-9_-]+$`) })
)

// readStyles finds the classes and ids that a style sheet hides. Rules with a condition, such as
// those of a medium, are ignored.
func (p *page) readStyles(sheet string) {
	p.spaced = p.spaced || setsSpace(sheet)
	sheet = styleComment().ReplaceAllString(strings.ToLower(sheet), " ")
	for {
		selectors, rest, ok := strings.Cut(sheet, "{")
		if !ok {
			return
		}
		selectors = strings.TrimSpace(selectors[strings.LastIndexByte(selectors, ';')+1:])
		if strings.HasPrefix(selectors, "@") {
			sheet = skipBlock(rest)
			continue
		}
		var rules string
		rules, sheet, _ = strings.Cut(rest, "}")
		for property, value := range declarations(rules) {
			if property != "display" {
				continue
			}
			for selector := range strings.SplitSeq(selectors, ",") {
				if selector = strings.TrimSpace(selector); !simpleSelector().MatchString(selector) {
					continue
				}
				if p.hiddenNames == nil {
					p.hiddenNames = map[string]bool{}
				}
				p.hiddenNames[selector] = value == "none"
			}
		}
	}
}

// skipBlock returns what follows the block in braces that a text is in.
func skipBlock(text string) string {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return text[i+1:]
		}
	}
	return ""
}

// declarations yields the names and values of the declarations of a style, in lower case.
func declarations(style string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for rule := range strings.SplitSeq(strings.ToLower(style), ";") {
			name, value, _ := strings.Cut(rule, ":")
			value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
			if name = strings.TrimSpace(name); name != "" && !yield(name, value) {
				return
			}
		}
	}
}
