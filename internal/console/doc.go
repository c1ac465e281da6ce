// Package console is the web console at /console: pages for people, made from
// templates, with a little of htmx and one small script of our own.
//
// A request passes visit.go (who is it, may they, is the form ours), then one
// handler, which asks one door of the house and shows one template. There is a
// file for each page, and a template of the same name. Every page works without
// a script; with one, lists follow what is typed and what happens.
//
// Nothing is loaded from elsewhere, and the Content-Security-Policy allows no
// inline script and no inline style: what a company is called cannot run.
//
// What does not belong here: rules, SQL, and the API's JSON.
package console
