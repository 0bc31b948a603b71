package mail

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/line"
	"doppel/pkg/mail"
	"doppel/pkg/mail/mailbox"
	"doppel/pkg/mail/mailsum"
	"doppel/pkg/mail/same"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// A letter is a message of doppel mail.
type letter struct {
	box, number int // number of the box, and of the message in the box
	size        int
	flags       mailbox.Flags
	sum         fuzzysum.Sum
	content     *same.Message
	line        line.Message
	protected   bool // never removed: it has no header
	out         bool // it is a copy, or similar
	kept        int  // number of the message that stays in its place
}

// letters collects the messages of all boxes and groups them. Copies are found by hashes of their
// contents. A similar message joins the group whose first message has the nearest sum; each message
// that is not a copy is compared with the first messages of all groups, which takes 2 ns per pair.
type letters struct {
	options                 *Options
	read                    same.Options
	sums                    *mailsum.Summer
	all                     []letter
	numbers                 []int // number of messages in each box
	groups, copies, similar int64
}

// add adds the next message of a box.
func (l *letters) add(box int, m mailbox.Message) {
	for len(l.numbers) <= box {
		l.numbers = append(l.numbers, 0)
	}
	number := l.numbers[box]
	l.numbers[box]++
	if m.Flags&mailbox.Internal != 0 && number == 0 {
		return
	}
	c := mail.Read(m.Text)
	l.all = append(l.all, letter{
		box: box, number: number, size: len(m.Text), flags: m.Flags,
		sum: l.sums.Sum(c).Sum, content: same.Read(c, l.read), protected: len(c.Header) == 0,
		line: line.Message{Name: m.Name, ID: printable(c.Header.Get("Message-ID")), Subject: printable(c.Header.Subject())},
	})
}

// printable returns a copy of a text, with U+FFFD in place of control characters. The text is foreign
// and is often shown on a terminal.
func printable(text []byte) []byte {
	if !bytes.ContainsFunc(text, unicode.IsControl) {
		return bytes.Clone(text)
	}
	return bytes.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// preferences has, for each value of --keep, a function that compares two messages. The message that
// is kept is the smaller one.
var preferences = map[string]func(a, b *letter) int{
	"first":   func(a, b *letter) int { return 0 },
	"last":    func(a, b *letter) int { return cmp.Or(cmp.Compare(b.box, a.box), cmp.Compare(b.number, a.number)) },
	"newest":  func(a, b *letter) int { return cmp.Compare(b.content.Date, a.content.Date) },
	"oldest":  func(a, b *letter) int { return cmp.Compare(uint64(a.content.Date-1), uint64(b.content.Date-1)) }, // messages without a date are last
	"largest": func(a, b *letter) int { return cmp.Compare(b.size, a.size) },
}

// byPreference returns the numbers of the messages in the order in which they are kept: first those
// that are not deleted, then those that are flagged or answered, then by --keep.
func (l *letters) byPreference() []int {
	order := make([]int, len(l.all))
	for i := range order {
		order[i] = i
	}
	without := func(x *letter, flags mailbox.Flags) int {
		if x.flags&flags != 0 {
			return 0
		}
		return 1
	}
	prefer := preferences[l.options.keep]
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &l.all[i], &l.all[j]
		return cmp.Or(
			without(b, mailbox.Deleted)-without(a, mailbox.Deleted),
			without(a, mailbox.Flagged|mailbox.Answered)-without(b, mailbox.Flagged|mailbox.Answered),
			prefer(a, b))
	})
	return order
}

// candidates returns, for each message, the number of a set. Only messages of one set can be copies.
func (l *letters) candidates() []int {
	sets := make([]int, len(l.all)) // a forest: each element has the number of its parent
	find := func(i int) int {
		for sets[i] != i {
			sets[i] = sets[sets[i]]
			i = sets[i]
		}
		return i
	}
	first := map[uint64]int{}
	for i := range l.all {
		sets[i] = i
		full, _ := l.all[i].content.Keys()
		for _, key := range full {
			if j, ok := first[key]; ok {
				sets[find(i)] = find(j)
			} else {
				first[key] = i
			}
		}
	}
	for i := range l.all {
		_, cuts := l.all[i].content.Keys()
		for _, key := range cuts {
			if j, ok := first[key]; ok {
				sets[find(i)] = find(j)
			}
		}
	}
	for i := range sets {
		sets[i] = find(i)
	}
	return sets
}

// group sets the verdicts of all messages, and returns the numbers of the messages of each group of
// two or more. Each copy is a copy of a message that is kept, and each similar message is similar to
// the first message of its group, which is preferred to it.
func (l *letters) group() [][]int {
	same.MarkRepeated(func(yield func(*same.Message) bool) {
		for i := range l.all {
			if !yield(l.all[i].content) {
				return
			}
		}
	})
	sets := l.candidates()
	kept := map[int][]int{}  // for each set, the messages that are not copies
	groupOf := map[int]int{} // for each message, the number of its group
	var heads []int          // first message of each group
	var members [][]int      // the other messages
	join := func(i, group, of int, verdict, why string) {
		m := &l.all[i]
		m.kept = of
		m.line.Verdict, m.line.Reason = []byte(verdict), []byte(why)
		m.line.Distance = int64(sumDistance(l.all[heads[group]].sum, m.sum))
		members[group] = append(members[group], i)
		groupOf[i] = group
		m.out = !m.protected && (verdict == "copy" || l.options.similar)
	}
next:
	for _, i := range l.byPreference() {
		m := &l.all[i]
		for _, j := range kept[sets[i]] {
			if v := same.Compare(l.all[j].content, m.content); v.Copy {
				l.copies++
				join(i, groupOf[j], j, "copy", v.Why)
				continue next
			}
		}
		kept[sets[i]] = append(kept[sets[i]], i)
		near, distance := -1, l.options.distance+1
		for group, head := range heads {
			if d := sumDistance(l.all[head].sum, m.sum); d < distance {
				near, distance = group, d
			}
		}
		if near >= 0 && m.sum != fuzzysum.Empty {
			l.similar++
			join(i, near, heads[near], "similar", same.Compare(l.all[heads[near]].content, m.content).Why)
			continue
		}
		m.line.Verdict = []byte("keep")
		groupOf[i] = len(heads)
		heads, members = append(heads, i), append(members, nil)
	}
	var groups [][]int
	for group, rest := range members {
		if len(rest) > 0 {
			slices.Sort(rest)
			groups = append(groups, append([]int{heads[group]}, rest...))
		}
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(min(a[0], a[1]), min(b[0], b[1])) })
	l.groups = int64(len(groups))
	return groups
}

// sumDistance returns the number of bits in which two sums differ. A digest has the distance 128 to
// all sums that are not equal to it.
func sumDistance(a, b fuzzysum.Sum) int {
	if a != b && (a.Exact() || b.Exact()) {
		return fuzzysum.Buckets
	}
	return fuzzysum.Distance(a, b)
}

// chosen returns, for each box, the set of the numbers of the messages to remove. A message is not
// removed, and an error is reported, if check fails for the message that is kept.
func (l *letters) chosen(boxes int, check func(kept *letter) error, report func(error)) []map[int]bool {
	out := make([]map[int]bool, boxes)
	for i := range l.all {
		if m := &l.all[i]; m.out {
			if err := check(&l.all[m.kept]); err != nil {
				report(fmt.Errorf("%s is not removed, since its copy cannot be kept: %w", m.line.Name, err))
				continue
			}
			if out[m.box] == nil {
				out[m.box] = map[int]bool{}
			}
			out[m.box][m.number] = true
		}
	}
	return out
}

// write writes the groups of two or more messages.
func (l *letters) write(e *tool.Env, groups [][]int) error {
	if err := lineio.Header(e, line.Message{}); err != nil {
		return err
	}
	for n, group := range groups {
		for _, i := range group {
			m := &l.all[i].line
			m.Group = int64(n + 1)
			if _, err := e.Out.Write(m.Append(e.Out.AvailableBuffer(), line.Format{JSON: e.JSON, Null: e.Null})); err != nil {
				return err
			}
		}
	}
	return nil
}
