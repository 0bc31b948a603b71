package record

import (
	"errors"
	"fmt"

	"doppel/pkg/record/fieldpath"
)

// noField returns that error, with the flag by which the field was named.
func (p *paths) noField(field string, names []string) error {
	flag := p.flag
	if p.idSlot >= 0 && field == p.id {
		flag = "--id"
	}
	return fieldpath.NoField(field, flag, names)
}

// placed says where a record begins that is too long.
func placed(err error, name string, line int64) error {
	var long *longError
	if errors.As(err, &long) {
		err = &SyntaxError{name, line, err}
	}
	return err
}

// A longError is of a record that is longer than one may be.
type longError struct{ most int64 }

func (e *longError) Error() string { return fmt.Sprintf("a record of more than %d bytes", e.most) }

// Hint says what may help.
func (e *longError) Hint() string { return "--max-record sets how long a record may be" }
