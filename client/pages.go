package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// pageSize is how much of a list is fetched at once.
const pageSize = 1000

// pages reads a list to its end, page by page, by its cursors: whatever happens
// meanwhile, nothing is skipped or repeated. get fetches a page and returns
// what is on it and the cursor of the next, which is empty at the end.
func pages[T any](get func(after string) (list []T, cursor string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for after := ""; ; {
			list, cursor, err := get(after)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, v := range list {
				if !yield(v, nil) {
					return
				}
			}
			if cursor == "" {
				return
			}
			after = cursor
		}
	}
}

// numbered reads a list to its end that has page numbers and no cursors. What
// is added at its head meanwhile pushes entries onto the next page: those are
// given once. What is deleted meanwhile pulls entries onto a page that was read
// already, and they are missed.
func numbered[T any](size int, id func(T) string, get func(page int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seen := map[string]bool{}
		for page := 1; ; page++ {
			list, err := get(page)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, v := range list {
				if seen[id(v)] {
					continue
				}
				seen[id(v)] = true
				if !yield(v, nil) {
					return
				}
			}
			if len(list) < size {
				return
			}
		}
	}
}

// page is the query of one page.
func page(filter url.Values, after string) url.Values {
	q := url.Values{"pageSize": {strconv.Itoa(pageSize)}}
	for k, v := range filter {
		if len(v) > 0 && v[0] != "" {
			q[k] = v
		}
	}
	if after != "" {
		q.Set("after", after)
	}
	return q
}

func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	return c.Do(ctx, Call{Method: method, Path: path, In: in, Out: out})
}

// create sends a call that makes something, under a key of its own: if it has
// to be sent twice it still happens once.
func (c *Client) create(ctx context.Context, path string, query url.Values, in, out any) error {
	return c.Do(ctx, Call{Method: http.MethodPost, Path: path, Query: query, Key: NewKey(), In: in, Out: out})
}
