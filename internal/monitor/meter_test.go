package monitor

import (
	"errors"
	"io"
	"strings"
	"testing"

	"bureau/internal/fault"
)

func TestLimitsOfFiles(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want fault.Kind
	}{
		"as many lines as may be":    {"id\n" + strings.Repeat("x\n", MaxFileLines-1), ""},
		"one line more":              {"id\n" + strings.Repeat("x\n", MaxFileLines-1) + "x", fault.TooLarge},
		"as many of other line ends": {"id\r\n" + strings.Repeat("x\r\n", MaxFileLines-1), ""},
		"old line ends":              {"id\r" + strings.Repeat("x\r", MaxFileLines), fault.TooLarge},
		"as large as may be":         {"id\n" + strings.Repeat("x", MaxFileSize-3), ""},
		"one byte more":              {"id\n" + strings.Repeat("x", MaxFileSize-2), fault.TooLarge},
	} {
		m := newMeter(strings.NewReader(c.text))
		n, err := io.Copy(io.Discard, m)
		if c.want == "" && (err != nil || n != int64(len(c.text))) || c.want != "" && !errors.Is(err, c.want) {
			t.Errorf("%s: %d bytes (%v), want %q", name, n, err, c.want)
		}
	}
}
