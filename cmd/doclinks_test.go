package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docLink matches a link in a doc comment, such as [Name], [Name.Method] or [pkg.Name].
var docLink = regexp.MustCompile(`(?:^|[\s(])\[\*?((?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)?)\]`)

// TestDocLinks checks that each link in a comment refers to a name that is declared in the
// same package or in another package of this module. Links to packages outside this module
// are not checked.
func TestDocLinks(t *testing.T) {
	files := map[string][]*ast.File{} // parsed files by directory
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		files[filepath.Dir(name)] = append(files[filepath.Dir(name)], f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names, links := map[string]map[string]bool{}, 0
	for dir, of := range files {
		names[path.Base(filepath.ToSlash(dir))] = declared(names[path.Base(filepath.ToSlash(dir))], of)
	}
	for dir, of := range files {
		own := declared(nil, of)
		for _, f := range of {
			for _, c := range f.Comments {
				for _, m := range docLink.FindAllStringSubmatch(c.Text(), -1) {
					links++
					pkg, name, other := strings.Cut(m[1], ".")
					switch {
					case own[m[1]], !other && own[pkg]:
					case other && names[pkg] != nil && names[pkg][name]:
					case other && names[pkg] == nil && pkg[0] >= 'a':
					default:
						t.Errorf("%s: [%s] links to nothing", dir, m[1])
					}
				}
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links: they are written in another way", links)
	}
}

// declared adds the top-level names that the files declare to the given map, which may be nil, and
// their methods and fields as TYPE.NAME. It returns the map.
func declared(names map[string]bool, files []*ast.File) map[string]bool {
	if names == nil {
		names = map[string]bool{}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					of := d.Recv.List[0].Type
					if star, ok := of.(*ast.StarExpr); ok {
						of = star.X
					}
					if generic, ok := of.(*ast.IndexExpr); ok {
						of = generic.X
					}
					if id, ok := of.(*ast.Ident); ok {
						name = id.Name + "." + name
					}
				}
				names[name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					addSpec(names, s)
				}
			}
		}
	}
	return names
}

func addSpec(names map[string]bool, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, id := range s.Names {
			names[id.Name] = true
		}
	case *ast.TypeSpec:
		names[s.Name.Name] = true
		var fields *ast.FieldList
		switch of := s.Type.(type) {
		case *ast.StructType:
			fields = of.Fields
		case *ast.InterfaceType:
			fields = of.Methods
		}
		if fields != nil {
			for _, f := range fields.List {
				for _, id := range f.Names {
					names[s.Name.Name+"."+id.Name] = true
				}
			}
		}
	}
}
