// Package look is what all pages of the house have in common: colours and the
// plainest of the elements, the icon, how browsers get files, and what browsers
// are told to refuse.
//
// What does not belong here: anything that one set of pages alone has.
package look

import "embed"

//go:embed look.css icon.svg
var common embed.FS
