package pages

import (
	"encoding/binary"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
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

// WithTexts returns a file whose footer also has columns for the given texts, after the columns of f.
// The file can be used only as a model for writing.
func (f *File) WithTexts(texts []Text) *File {
	if len(texts) == 0 {
		return f
	}
	meta, raw := *f.Meta, rawFooter{schema: slices.Clone(f.raw.schema)}
	raw.schema[0] = nil // the root has more children
	meta.Schema = slices.Clone(meta.Schema)
	meta.Schema[0].NumChildren = thrift.New(meta.Schema[0].NumChildren.V + int32(len(texts)))
	meta.KeyValueMetadata = nil
	for i, kv := range f.Meta.KeyValueMetadata {
		if kv.Key != arrowSchema {
			meta.KeyValueMetadata, raw.keyValues = append(meta.KeyValueMetadata, kv), append(raw.keyValues, f.raw.keyValues[i])
		}
	}
	if meta.ColumnOrders != nil {
		meta.ColumnOrders = slices.Clone(meta.ColumnOrders)
	}
	meta.RowGroups = slices.Clone(meta.RowGroups)
	for i := range meta.RowGroups {
		meta.RowGroups[i].Columns = slices.Clone(meta.RowGroups[i].Columns)
	}
	for _, t := range texts {
		meta.Schema = append(meta.Schema, format.SchemaElement{
			Type: thrift.New(format.ByteArray), RepetitionType: thrift.New(format.Optional), Name: t.Name,
			ConvertedType: thrift.New(deprecated.UTF8), LogicalType: format.LogicalType{Value: new(format.StringType)},
		})
		raw.schema = append(raw.schema, nil)
		if meta.ColumnOrders != nil {
			meta.ColumnOrders = append(meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
		}
		for i, g := range f.Groups {
			meta.RowGroups[i].Columns = append(meta.RowGroups[i].Columns, format.ColumnChunk{MetaData: *textChunk(g, t.Name).meta})
		}
	}
	return &File{file: f.file, Meta: &meta, raw: raw, leaves: f.leaves, Groups: f.Groups}
}

// A Text is a value that a copy has in one more column, for all rows of a file.
type Text struct {
	Name  string
	Value string
	Null  bool
}

// AppendTexts appends the texts to a row of a file with the given number of columns.
func AppendTexts(row pq.Row, columns int, texts []Text) pq.Row {
	row = row[:len(row):len(row)]
	for i, t := range texts {
		v := pq.NullValue().Level(0, 0, columns+i)
		if !t.Null {
			v = pq.ByteArrayValue([]byte(t.Value)).Level(0, 1, columns+i)
		}
		row = append(row, v)
	}
	return row
}

// textChunk describes the chunk that holds a text in the copy of a group.
func textChunk(g *Group, name string) *chunk {
	m := &format.ColumnMetaData{Type: format.ByteArray, Encoding: []format.Encoding{format.Plain, format.RLEDictionary, format.RLE}, PathInSchema: []string{name}}
	if columns := g.Meta.Columns; len(columns) > 0 {
		m.Codec = columns[0].MetaData.Codec
	}
	return &chunk{group: g, leaf: &leaf{def: 1, kind: pq.ByteArray}, index: len(g.chunks), meta: m}
}

// rowsPerText is the number of rows in a page of one text.
const rowsPerText = 1 << 20

// text makes the pages of a text: a dictionary with the text, and pages of indexes that are all 0.
func (s *splicer) text(t *Task, by compress.Codec) (b []byte, made []page, err error) {
	add := func(p page) error {
		p.at, p.plain = int64(len(b)), int64(len(s.body))
		sealed, err := s.seal(&p, by)
		b, made = append(b, sealed...), append(made, p)
		return err
	}
	s.body = append(binary.LittleEndian.AppendUint32(s.body[:0], uint32(len(t.text.Value))), t.text.Value...)
	err = add(page{kind: format.DictionaryPage, encoding: format.Plain, values: 1})
	for rows := t.out.rows; rows > 0 && err == nil; rows -= rowsPerText {
		n := min(rows, rowsPerText)
		levels := append(binary.AppendUvarint(nil, uint64(n)<<1), 1)
		indexes := append(binary.AppendUvarint([]byte{1}, uint64(n)<<1), 0)
		if t.text.Null {
			levels[len(levels)-1], indexes = 0, indexes[:1]
		}
		s.body = binary.LittleEndian.AppendUint32(s.body[:0], uint32(len(levels)))
		s.body = append(append(s.body, levels...), indexes...)
		err = add(page{kind: format.DataPage, encoding: format.RLEDictionary, levels: [2]format.Encoding{format.RLE, format.RLE}, values: n, rows: n})
	}
	return b, made, err
}

// Widen converts a row to the columns of the file that [File.Widened] returns. The field gets the
// given size as its value. The result may share the memory of the row.
func (f *File) Widen(row pq.Row, field string, size int64) pq.Row {
	wide, column, last := row[:0:len(row)], -1, -1
	for _, v := range row {
		if c := v.Column(); c < len(f.leaves) && f.leaves[c].inField(field) {
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
	if p.text != nil {
		p.cut = true // so that no statistics are written for the column
		return []*Task{{plan: p, first: p.first, rows: p.chunk.group.Rows(), out: written{rows: p.inGroup.rows}}}
	}
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
