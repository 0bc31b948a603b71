package mailbox

import (
	"bytes"
	"strconv"
	"strings"

	"doppel/pkg/mail"
)

// Flags is a set of marks that a mail reader has given to a message.
type Flags uint8

const (
	Seen Flags = 1 << iota
	Answered
	Flagged
	Draft
	Deleted
	// Internal marks the message that UW-IMAP stores at the start of an mbox for its own use.
	Internal
)

// infoLetters has the letter of each flag in the file names of a Maildir, in the order of the flags
// Seen to Deleted.
const infoLetters = "SRFDT"

// nameFlags returns the flags in the file name of a message in the subdirectory cur of a Maildir.
// They follow ":2,"; file systems that forbid colons have another character.
func nameFlags(name string) (f Flags) {
	at := strings.LastIndex(name, "2,")
	if at < 1 || !strings.ContainsRune(":;!-", rune(name[at-1])) {
		return 0
	}
	for i, letter := range infoLetters {
		if strings.ContainsRune(name[at:], letter) {
			f |= 1 << i
		}
	}
	return f
}

// info returns the end of the file name of a message with these flags in a Maildir.
func (f Flags) info() string {
	letters := ""
	for _, letter := range "DFRST" { // in the order of their codes, as the format requires
		if f&(1<<strings.IndexRune(infoLetters, letter)) != 0 {
			letters += string(letter)
		}
	}
	return ":2," + letters
}

// headerFlags returns the flags in the header of a message: the fields Status and X-Status of mutt,
// pine and procmail, and X-Mozilla-Status of Thunderbird.
func headerFlags(message []byte) (f Flags) {
	header, _ := mail.Split(message)
	add := func(field, letter string, flag Flags) {
		if bytes.Contains(header.Get(field), []byte(letter)) {
			f |= flag
		}
	}
	add("Status", "R", Seen)
	add("Status", "D", Deleted)
	add("X-Status", "A", Answered)
	add("X-Status", "F", Flagged)
	add("X-Status", "D", Deleted)
	add("X-Status", "T", Draft)
	status, _ := strconv.ParseUint(string(header.Get("X-Mozilla-Status")), 16, 32)
	for bit, flag := range map[uint64]Flags{1: Seen, 2: Answered, 4: Flagged, 8: Deleted} {
		if status&bit != 0 {
			f |= flag
		}
	}
	if status, _ := strconv.ParseUint(string(header.Get("X-Mozilla-Status2")), 16, 64); status&0x200000 != 0 {
		f |= Deleted
	}
	if string(header.Get("Subject")) == "DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA" {
		f |= Internal
	}
	return f
}
