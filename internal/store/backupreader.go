package store

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

// What a reader of backups says of a bad one.
var (
	errNoBackup = errors.New("this is not a backup of Bureau")
	errCutOff   = errors.New("the backup is cut off: the end of the file is missing")
	errDamaged  = errors.New("the backup is damaged: it is not as it was written")
	errTooMuch  = errors.New("the backup does not end where it should: something was put behind it")
)

// A backupReader reads a backup line by line and notices what is wrong with it.
type backupReader struct {
	file  *bufio.Reader // as it is
	r     *bufio.Reader // unpacked
	whole hash.Hash
	line  []byte
}

// A sink takes what is in a backup.
type sink interface {
	begin(tableLine) error
	row(line []byte) error
	end(tableEndLine) error
}

// readBackup reads the beginning of a backup.
func readBackup(r io.Reader) (*backupReader, headerLine, error) {
	var h headerLine
	// A reader that gives single bytes is left where the packed part ends.
	file := bufio.NewReaderSize(r, 64<<10)
	z, err := gzip.NewReader(file)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, gzip.ErrHeader) {
			err = errNoBackup
		}
		return nil, h, whatsWrong(err)
	}
	z.Multistream(false) // a backup is one part
	in := &backupReader{file: file, r: bufio.NewReaderSize(z, 64<<10), whole: sha256.New()}
	line, err := in.next()
	if err != nil {
		return nil, h, err
	}
	in.whole.Write(line)
	switch err := json.Unmarshal(line, &h); {
	case err != nil || h.Format != backupFormat:
		return nil, h, in.unlessDamaged(errNoBackup)
	case h.Number > backupNumber:
		return nil, h, in.unlessDamaged(fmt.Errorf("the backup has format %d, which a newer Bureau made; this one reads %d: restore it with the newer version", h.Number, backupNumber))
	case h.Schema < 1:
		return nil, h, errDamaged
	}
	return in, h, nil
}

// unlessDamaged returns err, which the first line gave reason for, if the file
// is as it was written: a single bit makes a 1 a 9.
func (in *backupReader) unlessDamaged(err error) error {
	if _, wrong := io.Copy(io.Discard, in.r); wrong != nil {
		return whatsWrong(wrong)
	}
	return err
}

// next returns the next line with its end. It is good until the next call.
func (in *backupReader) next() ([]byte, error) {
	in.line = in.line[:0]
	for {
		part, err := in.r.ReadSlice('\n')
		in.line = append(in.line, part...)
		if err == nil {
			return in.line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, whatsWrong(err)
		}
	}
}

func whatsWrong(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, errNoBackup):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errCutOff
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return errDamaged
	}
	return fmt.Errorf("read the backup: %w", err)
}

// tables reads the rest of a backup into a sink. When the sink refuses
// something the rest is still read, unless hopeless says that this is of no use:
// if the file turns out to be damaged, that is the better thing to say.
func (in *backupReader) tables(hopeless func(error) bool, into sink) (end endLine, err error) {
	var refused error
	give := func(give func() error) error {
		if refused == nil {
			refused = give()
		}
		if refused != nil && hopeless(refused) {
			return refused
		}
		return nil
	}
	for tables, rows := 0, int64(0); ; tables++ {
		sum := hex.EncodeToString(in.whole.Sum(nil))
		line, err := in.next()
		if err != nil {
			return end, err
		}
		if json.Unmarshal(line, &end) == nil && end.End == backupFormat {
			if end != (endLine{backupFormat, tables, rows, sum}) {
				return end, errDamaged
			}
			if refused == nil {
				refused = in.atEnd()
			}
			return end, refused
		}
		n, err := in.table(line, into, give)
		if err != nil {
			return end, err
		}
		rows += n
	}
}

// table reads one table, of which line is the first.
func (in *backupReader) table(line []byte, into sink, give func(func() error) error) (rows int64, err error) {
	in.whole.Write(line)
	var first tableLine
	if json.Unmarshal(line, &first) != nil || first.Table == "" {
		return 0, errDamaged
	}
	if err := give(func() error { return into.begin(first) }); err != nil {
		return 0, err
	}
	sum := sha256.New()
	for {
		line, err := in.next()
		if err != nil {
			return rows, err
		}
		in.whole.Write(line)
		if line[0] == '[' {
			rows++
			sum.Write(line)
			if err := give(func() error { return into.row(line) }); err != nil {
				return rows, err
			}
			continue
		}
		var end tableEndLine
		if json.Unmarshal(line, &end) != nil || end != (tableEndLine{rows, hex.EncodeToString(sum.Sum(nil))}) {
			return rows, errDamaged
		}
		return rows, give(func() error { return into.end(end) })
	}
}

// atEnd makes sure that nothing follows.
func (in *backupReader) atEnd() error {
	_, err := in.r.ReadByte()
	switch {
	case err == nil:
		return errDamaged
	case !errors.Is(err, io.EOF):
		return whatsWrong(err)
	}
	switch _, err := in.file.ReadByte(); {
	case err == nil:
		return errTooMuch
	case !errors.Is(err, io.EOF):
		return whatsWrong(err)
	}
	return nil
}
