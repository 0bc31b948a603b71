package write

import (
	"io"

	"doppel/pkg/record"
)

// outputs opens the outputs of a writer that writes records while they are read: the only one, or
// one for each input. Its owner sets begin and finish.
type outputs struct {
	rd     *record.Reader
	w      io.Writer                                  // the open output
	next   func(input string) (io.WriteCloser, error) // see Sink.next
	begin  func(w io.Writer) error                    // prepares an output for its first record
	finish func() error                               // writes the rest of an output
	opened int                                        // number of outputs opened so far
	output io.WriteCloser                             // the output of an input that is open, or nil
}

// open opens the outputs of all inputs up to that of the record, closing each output before it opens
// the next.
func (o *outputs) open(ordinal int64) error {
	for o.next != nil {
		in, ok := o.rd.Opened(o.opened)
		if !ok || in.First > ordinal {
			return nil
		}
		err := o.closeOne()
		if err == nil {
			o.output, err = o.next(in.Name)
		}
		if err != nil {
			return err
		}
		o.opened, o.w = o.opened+1, o.output
		if err := o.begin(o.output); err != nil {
			return err
		}
	}
	return nil
}

// closeOne finishes and closes the open output of an input, if any.
func (o *outputs) closeOne() error {
	if o.output == nil {
		return nil
	}
	err := o.finish()
	if cerr := o.output.Close(); err == nil {
		err = cerr
	}
	o.output = nil
	return err
}

// Close opens the outputs of inputs after the last record, and finishes all.
func (o *outputs) Close() error {
	if o.next == nil {
		return o.finish()
	}
	if err := o.open(o.rd.Count()); err != nil {
		return err
	}
	return o.closeOne()
}
