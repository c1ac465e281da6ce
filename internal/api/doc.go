// Package api is the whole wire: URLs, headers, statuses, JSON. It knows the
// rooms behind it by their doors and no database.
//
// routes.go is the table of everything that can be called; a row there is also
// an operation of the OpenAPI document. A handler is typed: what comes in, what
// goes out, one call of one door. What the typed form cannot say (authenticate,
// the retired paths) is a raw handler in a file of its own, described in the
// same document.
//
// No rule of the business belongs here.
package api
