package pdf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"
)

// Fonts are what documents are written in. They are read once and may be used
// by any number of documents at a time.
type Fonts struct {
	regular, bold, mono *face
	extra               []*face // from the folder, in the order of their names
}

// A face is a font and the characters that it has.
type face struct {
	name string
	ttf  []byte
	has  map[rune]bool
}

// maxFont is the largest font file that is read: those for all of Chinese have
// some 20 MB.
const maxFont = 64 << 20

// LoadFonts reads the fonts of the program and those of a folder, if it is
// named: every .ttf in it. A file that cannot be used is an error that says so;
// who sets a folder wants to know.
func LoadFonts(folder string) (*Fonts, error) {
	f := &Fonts{}
	for _, own := range []struct {
		into **face
		name string
		ttf  []byte
	}{
		{&f.regular, "sans", liberationsansregular.TTF},
		{&f.bold, "bold", liberationsansbold.TTF},
		{&f.mono, "mono", liberationmonoregular.TTF},
	} {
		face, err := newFace(own.name, own.ttf)
		if err != nil {
			return nil, err
		}
		*own.into = face
	}
	if folder == "" {
		return f, nil
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("read the folder of fonts: %w", err)
	}
	for _, file := range files {
		if !strings.EqualFold(filepath.Ext(file.Name()), ".ttf") {
			continue
		}
		face, err := readFace(filepath.Join(folder, file.Name()), fmt.Sprintf("extra%d", len(f.extra)))
		if err != nil {
			return nil, fmt.Errorf("font %s: %w", file.Name(), err)
		}
		f.extra = append(f.extra, face)
	}
	return f, nil
}

func readFace(path, name string) (*face, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cause(err)
	}
	if info.Size() > maxFont {
		return nil, fmt.Errorf("it has more than %d MB", maxFont>>20)
	}
	ttf, err := os.ReadFile(path)
	if err != nil {
		return nil, cause(err)
	}
	face, err := newFace(name, ttf)
	if err != nil {
		return nil, err
	}
	return face, face.try()
}

func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// newFace reads which characters of the first plane a font has. Others cannot
// be embedded.
func newFace(name string, ttf []byte) (*face, error) {
	font, err := sfnt.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("read the font %s: %w", name, err)
	}
	f := &face{name: name, ttf: ttf, has: map[rune]bool{}}
	var buf sfnt.Buffer
	for r := rune(' '); r <= 0xffff; r++ {
		if glyph, err := font.GlyphIndex(&buf, r); err == nil && glyph != 0 {
			f.has[r] = true
		}
	}
	return f, nil
}

// try puts a font into a document, to learn now whether that can be done.
func (f *face) try() (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("it cannot be embedded: it must be a TrueType font with outlines of its own")
		}
	}()
	doc := fpdf.New("P", "mm", "A4", "")
	doc.AddUTF8FontFromBytes(f.name, "", slices.Clone(f.ttf))
	doc.AddPage()
	doc.SetFont(f.name, "", 10)
	for r := range f.has {
		doc.Text(20, 20, string(r))
		break
	}
	if err := doc.Output(discard{}); err != nil {
		return fmt.Errorf("it cannot be embedded: %w", err)
	}
	return nil
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
