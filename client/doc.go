// Package client calls a Bureau service.
//
// A Client gets its own tokens, renews them before they expire, and sends a
// call again if its token was refused:
//
//	c := &client.Client{BaseURL: "https://bureau.example.com/v1", Username: "user-1002", Password: "…"}
//	me, err := c.Me(ctx)
//
// Every operation of the service has a method; Do sends whatever has none. What
// the service refuses is an *Error, and errors.Is tells its kind:
//
//	if errors.Is(err, client.ErrForbidden) { … }
//
// Lists are read to their end by ranging over them, page by page:
//
//	for event, err := range c.Events(ctx, client.EventFilter{}) { … }
//
// Where a method answers with one page, such as SearchCompanies, there is
// another that reads the whole list: AllCompanies.
//
// Follow is such a list without an end: events as they happen. A call that did
// not get through is sent again where that does no harm. VerifyWebhook tells
// whether a message that was posted to you is from the service.
//
// A program of its own uses it from a copy of the repository, with two lines in
// its go.mod:
//
//	require bureau v0.0.0
//	replace bureau => ../bureau
//
// This package imports nothing else of Bureau: it can be copied out of it.
package client
