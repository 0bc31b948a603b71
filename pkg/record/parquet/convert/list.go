package convert

import (
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/line/cell"
	"doppel/pkg/record/parquet/pages"
)

type appender func(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) ([]byte, error)

// appendElement appends an element of a list, out of the group that is
// repeated for it. In lists of old writers that group is the element.
func appendElement(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) ([]byte, error) {
	f, _ := n.(pq.Field)
	if n.Leaf() || len(n.Fields()) != 1 || f != nil && (f.Name() == "array" || strings.HasSuffix(f.Name(), "_tuple")) {
		return appendPresent(dst, n, columns, rep, def)
	}
	return appendNode(dst, n.Fields()[0], columns, rep, def)
}

// appendElements appends the instances of a repeated field as an array.
func appendElements(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int, one appender) ([]byte, error) {
	dst = append(dst, '[')
	err := eachElement(columns, rep+1, def, func(i int, element [][]pq.Value) (err error) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, err = one(dst, n, element, rep+1, def+1)
		return err
	})
	return append(dst, ']'), err
}

// appendMap appends the pairs of a map as an object; keys are texts.
func appendMap(dst []byte, pair pq.Node, columns [][]pq.Value, rep, def int) ([]byte, error) {
	dst = append(dst, '{')
	err := eachElement(columns, rep+1, def, func(i int, element [][]pq.Value) (err error) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(cell.AppendJSON(dst, AppendValue(nil, element[0][0])), ':')
		dst, err = appendNode(dst, pair.Fields()[1], element[1:], rep+1, def+1)
		return err
	})
	return append(dst, '}'), err
}

// eachElement cuts the columns of a repeated field at the values that begin a
// new instance, those of its own repetition level, and calls fn with each.
func eachElement(columns [][]pq.Value, rep, def int, fn func(i int, element [][]pq.Value) error) error {
	if columns[0][0].DefinitionLevel() <= def {
		return nil
	}
	rest, element := append([][]pq.Value(nil), columns...), make([][]pq.Value, len(columns))
	for i := 0; len(rest[0]) > 0; i++ {
		for k, values := range rest {
			if len(values) == 0 {
				return pages.ErrDamaged // another column has more
			}
			n := 1
			for n < len(values) && values[n].RepetitionLevel() > rep {
				n++
			}
			element[k], rest[k] = values[:n], values[n:]
		}
		if err := fn(i, element); err != nil {
			return err
		}
	}
	for _, values := range rest {
		if len(values) > 0 {
			return pages.ErrDamaged
		}
	}
	return nil
}
