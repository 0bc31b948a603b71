package write

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/jsonscan"
)

// Sizes holds the options for the size of a kept record's cluster, which is the number of records
// in the cluster, including the kept one.
type Sizes struct {
	Field string                 // the name of the field that receives the size; "" if none does
	Force bool                   // replace an existing field with that name
	Times func(size int64) int64 // returns how often to write the kept record of a cluster of this size; nil means once
}

// CheckNew returns an error if the size field is among these columns, unless Force is set.
func (z *Sizes) CheckNew(columns []string) error {
	if z == nil || z.Field == "" || z.Force || !slices.Contains(columns, z.Field) {
		return nil
	}
	return msg.WithHint(fmt.Errorf("the header already has a column %q", z.Field), forceField)
}

const forceField = "--force-field replaces it"

func (z *Sizes) times(size int64) int64 {
	if z.Times == nil {
		return 1
	}
	return z.Times(size)
}

// A sizer adds cluster sizes to records.
type sizer struct {
	*Sizes
	objects *jsonscan.Extender
	row     []byte
	digits  []byte
	other   [][2]int64 // ordinal and cluster size of each Parquet record whose cluster size is not 1
}

func newSizer(z *Sizes) *sizer {
	if z == nil {
		return nil
	}
	objects := jsonscan.NewExtender(z.Force, z.Field)
	objects.Hint = forceField
	return &sizer{Sizes: z, objects: objects}
}

func (z *sizer) addsField() bool { return z != nil && z.Field != "" }

// extendObject returns an object with the size field set to size.
func (z *sizer) extendObject(object []byte, size int64) ([]byte, error) {
	z.digits = strconv.AppendInt(z.digits[:0], size, 10)
	return z.objects.Extend(object, z.digits)
}

// extendRow returns a row of a table with the size in the size column, which is added if the table
// lacks it.
func (z *sizer) extendRow(t *record.Table, row []byte, size int64) (_ []byte, err error) {
	z.digits = strconv.AppendInt(z.digits[:0], size, 10)
	z.row, err = t.AppendWith(z.row[:0], row, z.Field, string(z.digits))
	return z.row, err
}

// addSize stores the cluster size of a record that copied.Close copies. Calls must be in ascending
// order of ordinals.
func (z *sizer) addSize(ordinal, size int64) {
	if size != 1 {
		z.other = append(z.other, [2]int64{ordinal, size})
	}
}

// sizesFrom returns the cluster sizes of the copied records, with ordinals relative to its
// argument.
func (z *sizer) sizesFrom(first int64) *Sized {
	if z == nil {
		return nil
	}
	return &Sized{z.Sizes, func(ordinal int64) int64 { return z.sizeOf(first + ordinal) }}
}

// sizeOf returns the size that addSize stored for a record, or 1.
func (z *sizer) sizeOf(ordinal int64) int64 {
	i := sort.Search(len(z.other), func(i int) bool { return z.other[i][0] >= ordinal })
	if i < len(z.other) && z.other[i][0] == ordinal {
		return z.other[i][1]
	}
	return 1
}

// Sized holds the cluster sizes of the copied records.
type Sized struct {
	*Sizes
	Size func(ordinal int64) int64 // may be called by several goroutines concurrently
}

// Repeated returns the number of times that a kept record is written.
func (z *Sized) Repeated(ordinal int64) int64 {
	if z == nil {
		return 1
	}
	return z.times(z.Size(ordinal))
}

// Adds reports whether the copy adds the size field to the records.
func (z *Sized) Adds() bool { return z != nil && z.Field != "" }
