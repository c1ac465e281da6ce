package gleif

import "fmt"

// checkLEI reports what is wrong with an LEI: its last two digits are a check
// by ISO 7064, mod 97-10.
func checkLEI(lei string) error {
	if len(lei) != 20 {
		return fmt.Errorf("LEI %q has %d characters, not 20", shorten(lei), len(lei))
	}
	rest := 0
	for i := range len(lei) {
		switch c := lei[i]; {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z' && i < 18:
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return fmt.Errorf("LEI %q has a character that does not belong there", lei)
		}
	}
	if rest != 1 {
		return fmt.Errorf("LEI %s fails its check digits", lei)
	}
	return nil
}

// shorten keeps a message readable whatever was in the file.
func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
