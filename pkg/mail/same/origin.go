package same

import (
	netmail "net/mail"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"doppel/pkg/mail"
)

// An origin is what a header says of where a message comes from.
type origin struct {
	ID         string // Message-ID, or "" if the message has none that tells it from others
	sharedID   bool   // messages of the run with the same ID are known to be different mails
	Date       int64  // Unix time, 0 if the message has no valid date
	dateText   string
	isDated    bool     // the date has a year and a time of day that tell it from others
	authors    []author // From, or who wrote to a list that has replaced From; nil if that is not certain
	replyTo    string   // the addresses in Reply-To and Sender
	recipients string
	delivered  string // the addresses to which the message was delivered, or ""
	parent     string // Message-ID of the message that this one answers, or ""
	refers     []string
	automatic  bool     // a program has sent it without a person
	list       bool     // a list has added fields to the header
	listNames  []string // names of the list, reduced to letters and digits
}

// An author is a person in From.
type author struct{ address, name string }

// listFields lists fields that mailing lists add.
var listFields = []string{"List-Id", "List-Post", "X-Mailing-List", "Mailing-List", "X-BeenThere"}

func readOrigin(h mail.Header) (o origin) {
	o.ID, o.dateText = readID(single(h, "Message-ID")), single(h, "Date")
	if date, err := netmail.ParseDate(o.dateText); err == nil && hasOffset().MatchString(o.dateText) {
		o.Date = date.Unix()
	}
	o.isDated = isDated(o.dateText)
	inReplyTo, references := string(h.Get("In-Reply-To")), strings.Fields(string(h.Get("References")))
	if o.parent = readID(inReplyTo); o.parent == "" {
		o.parent = inReplyTo
	}
	if o.parent == "" && len(references) > 0 {
		o.parent = references[len(references)-1]
	}
	o.refers = append(strings.Fields(inReplyTo), references...)
	for _, field := range listFields {
		value := lower(string(h.Get(field)))
		o.list = o.list || value != ""
		o.listNames = append(o.listNames, namesOfList(value)...)
	}
	o.replyTo = foldField(h, "Reply-To", "Sender")
	o.recipients = foldField(h, "To", "Cc", "Bcc", "Resent-To", "Resent-Cc", "Apparently-To", "Newsgroups")
	o.delivered = foldField(h, "Delivered-To", "X-Original-To", "Envelope-To")
	o.automatic = isAutomatic(h)
	o.readAuthors(h)
	return o
}

// automaticSender matches the addresses of programs.
var automaticSender = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:root|cron|daemon|mailer-daemon|nagios|monitor(?:ing)?|alerts?|no-?reply|do-?not-?reply|notifications?)(?:[+-][^@\s]*)?@`)
})

// isAutomatic reports whether a program has sent a message.
func isAutomatic(h mail.Header) bool {
	submitted := strings.ToLower(string(h.Get("Auto-Submitted")))
	return submitted != "" && submitted != "no" || len(h.Get("X-Cron-Env")) > 0 || automaticSender().Match(h.Get("From"))
}

// single returns the value of a field, or "" unless the header has exactly one.
func single(h mail.Header, name string) string {
	if all := h.Values(name); len(all) == 1 {
		return string(all[0])
	}
	return ""
}

// foldField returns the addresses in some fields, in lower case and in ascending order, or the value of
// a field without addresses.
func foldField(h mail.Header, names ...string) string {
	var all []string
	for _, name := range names {
		for _, value := range h.Values(name) {
			found := parseAuthors(string(value))
			for _, a := range found {
				all = append(all, a.address)
			}
			if len(found) == 0 && len(value) > 0 {
				all = append(all, lower(string(value)))
			}
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

var (
	// hasOffset matches dates whose offset from UTC is known: names such as EST have none in Go.
	hasOffset = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:[+-][0-9]{4}|\b(?:GMT|UTC?|Z))\s*(?:\(.*)?$`) })
	year      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:199|20[0-9])[0-9]\b`) })
	timeOfDay = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[0-9]{1,2}:[0-9]{2}:[0-9]{2}\b`) })
)

// isDated reports whether a date is likely to tell a message from others: clocks that are not set
// give the year 1970, and some programs write no time of day, or midnight.
func isDated(date string) bool {
	t := timeOfDay().FindString(date)
	return year().MatchString(date) && t != "" && strings.Trim(t, "0:") != ""
}

// readAuthors sets the authors. If a list has replaced the author's address by its own, the author is
// that of X-Original-From or Reply-To.
func (o *origin) readAuthors(h mail.Header) {
	from := single(h, "From")
	o.authors = parseAuthors(from)
	post := strings.ToLower(string(h.Get("List-Post")) + " " + string(h.Get("X-BeenThere")) + " " + string(h.Get("Mailing-List")))
	isList := func(a author) bool { return strings.Contains(post, a.address) }
	replaced := len(h.Get("X-Original-From")) > 0 || strings.Contains(strings.ToLower(from), " via ") || slices.ContainsFunc(o.authors, isList)
	if !o.list || !replaced {
		return
	}
	lists := o.authors
	o.authors, o.replyTo = nil, ""
	for _, field := range []string{"X-Original-From", "Reply-To"} {
		for _, a := range parseAuthors(single(h, field)) {
			if len(o.authors) == 0 && !isList(a) && !slices.ContainsFunc(lists, func(l author) bool { return l.address == a.address }) {
				o.authors = append(o.authors, a)
			}
		}
	}
}

// parseAuthors returns the addresses and names of a field, in lower case, and in the order of the
// addresses.
func parseAuthors(field string) (all []author) {
	list, err := netmail.ParseAddressList(field)
	if err != nil {
		text := lower(string(mail.Decoded([]byte(field))))
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>,;\"()", r) }) {
			if strings.Contains(word, "@") {
				all = append(all, author{word, text})
			}
		}
	}
	for _, a := range list {
		if strings.ContainsRune(a.Name, utf8.RuneError) {
			a.Name = field // its bytes are not what they say
		}
		all = append(all, author{lower(a.Address), lower(a.Name)})
	}
	slices.SortFunc(all, func(a, b author) int { return strings.Compare(a.address, b.address) })
	return slices.Compact(all)
}

// lower returns a text in lower case, or the text itself if it is not UTF-8: strings.ToLower would
// replace different bytes with the same U+FFFD.
func lower(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	return strings.ToLower(text)
}

// namesOfList returns the names in a field such as "Python Dev <python-dev.python.org>" or
// "<mailto:python-dev@python.org>": the phrase, and the start of the address.
func namesOfList(field string) (all []string) {
	phrase, address, _ := strings.Cut(field, "<")
	address = strings.TrimPrefix(address, "mailto:")
	for _, name := range []string{phrase, address} {
		if n := strings.IndexAny(name, ".@>"); n >= 0 {
			name = name[:n]
		}
		if name = lettersOf(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// lettersOf returns the letters and digits of a text.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

var (
	// messageID matches a Message-ID. Both sides have a letter or a digit.
	messageID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^<[^@\s<>{}()\[\]]*[0-9A-Za-z][^@\s<>{}()\[\]]*@[^\s<>{}()]*[0-9A-Za-z][^\s<>{}()]*>`)
	})
	// placeholder matches an identifier that a program has left in its template, or in place of a
	// missing value, in all messages.
	placeholder = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)%[a-z_.-]+%|\$[a-z_]*(?:msg|message|id|uniq|rand|time|host)[a-z_]*\b|^<\W*(?:null|nil|none|undefined|unknown|empty|message-?id|msg-?id|unique-?id|uuid|xxx+|n/?a|nan)\W*@|@\W*(?:null|undefined)\W*>`)
	})
)

// readID returns the first Message-ID in a field, or "" if it does not have the form <LEFT@RIGHT>.
// Some programs write the same placeholder, such as <> or <%MSGID%@host>, in all messages.
func readID(field string) string {
	id := messageID().FindString(field)
	if placeholder().MatchString(id) {
		return ""
	}
	return id
}

// sameID reports whether two messages have the same Message-ID, and not two dates.
func (o *origin) sameID(p *origin) bool {
	if o.sharedID || p.sharedID {
		return false
	}
	twoDates := o.dateText != "" && p.dateText != "" && o.dateText != p.dateText && (o.Date != p.Date || o.Date == 0)
	return o.ID != "" && o.ID == p.ID && !twoDates
}

// dateKey returns a text that two messages of one date have in common.
func (o *origin) dateKey() string {
	if o.Date != 0 {
		return strconv.FormatInt(o.Date, 10)
	}
	return o.dateText
}

// sameDate reports whether two messages have the same date, which tells them from others.
func (o *origin) sameDate(p *origin) bool {
	return o.isDated && p.isDated && (o.dateText == p.dateText || o.Date != 0 && o.Date == p.Date)
}

// maxAgain is the maximum number of seconds between the dates of a message and the same one sent
// again. What has the same text a week later is a reminder.
const maxAgain = 5 * 24 * 3600

// sentAgain reports whether the dates of two messages allow that a person has sent one of them again.
func (o *origin) sentAgain(p *origin) bool {
	return !o.automatic && !p.automatic && o.isDated && p.isDated && o.Date != 0 && p.Date != 0 && max(o.Date, p.Date)-min(o.Date, p.Date) <= maxAgain
}

// answers reports whether o answers p.
func (o *origin) answers(p *origin) bool { return p.ID != "" && slices.Contains(o.refers, p.ID) }

// sameAuthor reports whether two messages have the same author. Programs that send in the name
// of several people have one address for all, so the names, and the addresses for answers, are
// compared, too. A list may leave out the name, and set the address for answers.
func (o *origin) sameAuthor(p *origin) bool {
	list := o.list != p.list
	return len(o.authors) > 0 && (list || o.replyTo == p.replyTo) &&
		slices.EqualFunc(o.authors, p.authors, func(a, b author) bool {
			return a.address == b.address && (a.name == b.name || list && (a.name == "" || b.name == ""))
		})
}

// sameRecipients reports whether two messages were sent to the same people.
func (o *origin) sameRecipients(p *origin) bool {
	return o.recipients == p.recipients && (o.delivered == p.delivered || o.delivered == "" || p.delivered == "")
}
