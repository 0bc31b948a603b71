package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"slices"
	"strings"
)

// A change replaces a part of a file with other text.
type change struct {
	file     string
	text     []byte // text of the unchanged file
	from, to int
	with     string
	line     int
	what     string
}

func (c change) apply() []byte {
	return slices.Concat(c.text[:c.from], []byte(c.with), c.text[c.to:])
}

func (c change) String() string {
	old := strings.Join(strings.Fields(string(c.text[c.from:c.to])), " ")
	return fmt.Sprintf("%s:%d: %s: %s -> %s", c.file, c.line, c.what, old, c.with)
}

// operators maps each operator to its replacement. An operator such as < is replaced by the
// operator whose result differs only for equal operands.
var operators = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.LAND: "||", token.LOR: "&&",
	token.SHL: ">>", token.SHR: "<<", token.AND: "|", token.OR: "&",
}

// changesOf returns the possible changes of a file. A change replaces an operator, increases or
// decreases an integer constant by one, negates a condition, removes a statement, or returns nil
// instead of an error.
func changesOf(file string) (all []change) {
	text, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		log.Fatal(err)
	}
	add := func(what string, from, to token.Pos, with string) {
		at := set.Position(from)
		all = append(all, change{file: file, text: text, from: at.Offset, to: set.Position(to).Offset, with: with, line: at.Line, what: what})
	}
	source := func(n ast.Node) string {
		return string(text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
	}
	negate := func(cond ast.Expr) {
		if cond != nil {
			add("negated", cond.Pos(), cond.End(), "!("+source(cond)+")")
		}
	}
	var fails []bool // for each enclosing function, whether its last result is an error
	function := func(t *ast.FuncType, body *ast.BlockStmt, visit func(ast.Node) bool) {
		last := t.Results != nil && len(t.Results.List) > 0
		if last {
			name, ok := t.Results.List[len(t.Results.List)-1].Type.(*ast.Ident)
			last = ok && name.Name == "error"
		}
		fails = append(fails, last)
		if body != nil {
			ast.Inspect(body, visit)
		}
		fails = fails[:len(fails)-1]
	}
	var post ast.Stmt
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			function(n.Type, n.Body, visit)
			return false
		case *ast.FuncLit:
			function(n.Type, n.Body, visit)
			return false
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			if with := operators[n.Op]; with != "" {
				add("operator", n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), with)
			}
		case *ast.BasicLit:
			if n.Kind == token.INT {
				add("constant", n.Pos(), n.End(), fmt.Sprintf("(%s%s1)", n.Value, []string{"+", "-"}[int(n.Pos())%2]))
			}
		case *ast.IfStmt:
			negate(n.Cond)
		case *ast.ForStmt:
			negate(n.Cond)
			post = n.Post // never removed, because most loops would not end without it
		case *ast.ExprStmt:
			add("removed", n.Pos(), n.End(), "")
		case *ast.IncDecStmt:
			if post != n {
				add("removed", n.Pos(), n.End(), "")
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && post != n {
				add("removed", n.Pos(), n.End(), "")
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 0 || len(fails) == 0 || !fails[len(fails)-1] {
				break
			}
			if last := n.Results[len(n.Results)-1]; source(last) != "nil" {
				add("error dropped", last.Pos(), last.End(), "nil")
			}
		}
		return true
	}
	ast.Inspect(tree, visit)
	return all
}
