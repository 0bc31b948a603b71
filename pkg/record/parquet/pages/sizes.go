package pages

import (
	"encoding/binary"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A copy may have one more column than the input files: the cluster size of each row, as a required
// int64 at the end. A field of the input that has the name of the new column is left out. The pages
// of the new column are made by the goroutines that run a Recoder; all other pages are copied as
// usual.

// arrowSchema is the metadata key of the schema that Arrow reads. This schema lists the columns,
// and Arrow matches them by number, so a file with an additional column must not have this key.
const arrowSchema = "ARROW:schema"

// Widened returns a file whose footer has the columns of f, except those of the given field,
// followed by one int64 column for the field. The file can be used only as a model for writing.
func (f *File) Widened(field string) *File {
	meta := *f.Meta
	meta.Schema = slices.Clone(meta.Schema[:1])
	raw := rawFooter{schema: make([][]byte, 1)} // the root is new
	for i := 1; i < len(f.Meta.Schema); {
		end := i
		for open := int32(1); open > 0; end++ {
			open += f.Meta.Schema[end].NumChildren.V - 1
		}
		if f.Meta.Schema[i].Name == field {
			meta.Schema[0].NumChildren.V--
		} else {
			meta.Schema = append(meta.Schema, f.Meta.Schema[i:end]...)
			raw.schema = append(raw.schema, f.raw.schema[i:end]...)
		}
		i = end
	}
	meta.Schema[0].NumChildren.V++
	meta.Schema = append(meta.Schema, format.SchemaElement{
		Type: thrift.New(format.Int64), RepetitionType: thrift.New(format.Required), Name: field,
	})
	raw.schema = append(raw.schema, nil)
	replaced := f.Replaced(field)
	if meta.ColumnOrders != nil {
		meta.ColumnOrders = append(exceptColumns(meta.ColumnOrders, replaced), format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	meta.KeyValueMetadata = nil
	for i, kv := range f.Meta.KeyValueMetadata {
		if kv.Key != arrowSchema {
			meta.KeyValueMetadata, raw.keyValues = append(meta.KeyValueMetadata, kv), append(raw.keyValues, f.raw.keyValues[i])
		}
	}
	meta.RowGroups = slices.Clone(meta.RowGroups)
	for i, g := range f.Groups {
		columns := exceptColumns(meta.RowGroups[i].Columns, replaced)
		meta.RowGroups[i].Columns = append(columns, format.ColumnChunk{MetaData: *sizeChunk(g, field).meta})
	}
	return &File{file: f.file, Meta: &meta, raw: raw}
}

// Widen converts a row to the columns of the file that [File.Widened] returns. The field gets the
// given size as its value. The result may share the memory of the row.
func (g *Group) Widen(row pq.Row, field string, size int64) pq.Row {
	wide, column, last := row[:0:len(row)], -1, -1
	for _, v := range row {
		if g.file.leaves[v.Column()].inField(field) {
			continue
		}
		if v.Column() != last {
			column, last = column+1, v.Column()
		}
		wide = append(wide, v.Level(v.RepetitionLevel(), v.DefinitionLevel(), column))
	}
	return append(wide, pq.Int64Value(size).Level(0, 0, column+1))
}

// Replaced returns the indexes of the leaves of a top-level field, in ascending order.
func (f *File) Replaced(field string) (leaves []int) {
	for i, l := range f.leaves {
		if l.inField(field) {
			leaves = append(leaves, i)
		}
	}
	return leaves
}

// inField reports whether the column is the top-level field with this name, or is inside it.
func (l *leaf) inField(field string) bool { return l.column.Path()[0] == field }

// exceptColumns returns a copy of a slice that has one entry per column. The copy lacks the entries
// of the given columns.
func exceptColumns[T any](all []T, columns []int) (rest []T) {
	for i := range all {
		if !slices.Contains(columns, i) {
			rest = append(rest, all[i])
		}
	}
	return rest
}

// sizeChunk describes the chunk that holds the cluster sizes of a group in the copy. This chunk
// gets the codec of the group's first chunk.
func sizeChunk(g *Group, field string) *chunk {
	m := &format.ColumnMetaData{Type: format.Int64, Encoding: []format.Encoding{format.Plain}, PathInSchema: []string{field}}
	if columns := g.Meta.Columns; len(columns) > 0 {
		m.Codec = columns[0].MetaData.Codec
	}
	return &chunk{group: g, leaf: &leaf{width: 8}, index: len(g.chunks), meta: m}
}

// sizesPerPage is the number of sizes in a page. A page may have more sizes if its last row is
// written several times.
const sizesPerPage = 1 << 17

// sizeTasks returns the tasks that make the pages of the size column.
func (p *plan) sizeTasks() (queue []*Task) {
	n := p.chunk.group.Rows()
	for first := int64(0); first < n; {
		t := &Task{plan: p, first: p.first + first}
		for ; first < n && t.out.rows < sizesPerPage; first++ {
			t.rows++
			t.out.rows += countWritten(p.keep, p.sized, p.first+first, 1).rows
		}
		if t.out.rows > 0 {
			queue = append(queue, t)
		}
	}
	p.cut = true // so that no statistics are written for the column
	return queue
}

// sizes makes a page with the cluster sizes of the kept rows of a task.
func (s *splicer) sizes(t *Task, by compress.Codec) ([]byte, []page, error) {
	s.body = s.body[:0]
	for row := t.first; row < t.first+t.rows; row++ {
		if t.keep(row) {
			for range t.sized.Repeated(row) {
				s.body = binary.LittleEndian.AppendUint64(s.body, uint64(t.sized.Size(row)))
			}
		}
	}
	made := page{kind: format.DataPage, encoding: format.Plain, levels: [2]format.Encoding{format.RLE, format.RLE}, values: t.out.rows, rows: t.out.rows, plain: int64(len(s.body))}
	b, err := s.seal(&made, by)
	return b, []page{made}, err
}
