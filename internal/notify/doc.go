// Package notify carries events out of the house.
//
// A Poster sends events to webhooks: it writes them down, signs them and posts
// them through a Guard, which connects to addresses that anyone on the Internet
// may connect to and to no others, whatever a name says at the moment. When to
// send what, and what becomes of it, is monitor's.
//
// A Writer writes mail: digests, what became of imports, warnings. It is kept in
// the database with the decision to send it; a Postman gives it to a mail server
// from there.
package notify
