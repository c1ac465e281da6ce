package company

// Built is how many companies were read to make the index anew.
func (f *Finder) Built() int64 { return f.done.Load() }
