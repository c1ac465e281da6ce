// Package e2e holds the browser tests: a real Chromium, a real server with the
// sandbox, and what people do in the console, at the width of a desk and of a
// phone. It is a module of its own, so that Bureau itself depends on nothing that
// drives a browser. Screenshots are kept in the folder shots, which git ignores.
package e2e
