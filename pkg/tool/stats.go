package tool

import "fmt"

// WriteStats writes how many records were kept and dropped, and their sum, as
// a JSON object to the named file, if one is named.
func (e *Env) WriteStats(name string, kept, dropped int64) error {
	if name == "" {
		return nil
	}
	w, err := e.Create(name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `{"records":%d,"kept":%d,"dropped":%d}`+"\n", kept+dropped, kept, dropped)
	return err
}
