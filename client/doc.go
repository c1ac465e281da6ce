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
// This package imports nothing else of Bureau: it can be copied out of it.
package client
