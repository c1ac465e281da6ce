package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"bureau/client"
)

func Example() {
	c := &client.Client{
		BaseURL:  "https://bureau.example.com/v1",
		Username: os.Getenv("BUREAU_USERNAME"),
		Password: os.Getenv("BUREAU_PASSWORD"),
		MaxWait:  time.Minute,
	}
	me, err := c.Me(context.Background())
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		log.Fatal("the user key or the password is wrong")
	case err != nil:
		log.Fatal(err)
	}
	fmt.Println("signed in as", me.Username, "of", me.OwningEntity)
}

// A call that creates something carries a key, so that it may be repeated.
func ExampleClient_Do() {
	c := &client.Client{BaseURL: "https://bureau.example.com/v1", Username: "user-1002", Password: "…"}
	var created struct {
		ID int64 `json:"id"`
	}
	err := c.Do(context.Background(), client.Call{
		Method: "POST", Path: "/things", Key: client.NewKey(),
		In: map[string]string{"name": "one"}, Out: &created,
	})
	var refused *client.Error
	if errors.As(err, &refused) {
		log.Fatalf("refused with %d: %s", refused.Status, refused.Details)
	}
}
