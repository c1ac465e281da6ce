package auth

import "context"

// Every question about a customer's data names the customer: that is the first
// wall. The second must hold where the first was forgotten, so it cannot rely on
// what a method is passed. It is the one thing that travels in the context: where
// a call was authenticated the context is bound to its customer, and from there on
// a database that can do so shows and changes nothing of any other.

type walledKey struct{}

// Within returns a context that is bound to a customer. One that is bound already
// stays as it is: nobody leaves a customer's walls by naming another.
func Within(ctx context.Context, c CustomerID) context.Context {
	if _, bound := Walled(ctx); bound {
		return ctx
	}
	return context.WithValue(ctx, walledKey{}, c)
}

// Walled returns the customer to whom a context is bound. Work that is done for
// nobody in particular has none, and may see everything.
func Walled(ctx context.Context) (c CustomerID, bound bool) {
	c, bound = ctx.Value(walledKey{}).(CustomerID)
	return c, bound
}
