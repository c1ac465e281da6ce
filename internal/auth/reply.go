package auth

import (
	"context"
	"time"
)

// A Reply is what a call was answered, kept so that a retry is answered alike.
type Reply struct {
	Status int // as the caller saw it; never 0
	Header map[string]string
	Body   []byte
}

// Replies remembers what calls were answered, for callers who name a call so
// that they may safely repeat it. A name belongs to one account: others may use
// the same. Package storetest holds every promise made here to account.
type Replies interface {
	// BeginReply claims a name for a request, which it knows by its sum. Of
	// all who try, on any node, exactly one claims it; that one must finish or
	// drop it. Later calls get the first one's reply. A name that was used
	// for another request is a fault.Conflict, and so is one whose first call
	// has not finished: it is still at work, or its node died and nobody
	// knows how it ended.
	BeginReply(ctx context.Context, by Caller, name string, request [32]byte) (r Reply, claimed bool, err error)

	// FinishReply keeps the reply to the call that claimed a name. It comes
	// back as it was given, though an empty header or body may come back nil.
	// To finish what nobody began, or what is finished, is an error and
	// changes nothing.
	FinishReply(ctx context.Context, by Caller, name string, r Reply) error

	// DropReply gives up a claim, since the call failed on our side: a retry
	// may claim the name again. A finished reply stays.
	DropReply(ctx context.Context, by Caller, name string) error

	// ForgetReplies drops every name that was claimed before a time, finished
	// or not.
	ForgetReplies(ctx context.Context, before time.Time) error
}
