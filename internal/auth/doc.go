// Package auth decides who may come in.
//
// A customer is a firm that pays; an account is one user key of it. Login turns
// a user key and a password into a token; Gate turns a token into a Caller and
// says whether that caller may use a product. Keys sign tokens and replace
// themselves; limits slow down whoever asks too often; the audit log keeps what
// happened so that nobody can change it unseen.
//
// All nodes share one record: accounts, keys, login attempts and the audit log.
// Whoever wants to add to it takes a Turn (see store.go): under one lock they
// hear what others added, decide, and add. Journal takes one turn for many
// logins at a time, so that a durable audit row costs microseconds.
//
// What does not belong here: HTTP, SQL, and what a product does.
package auth
