package client_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"time"

	"bureau/client"
)

func Example() {
	service := pretend("GET /v1/access/users/me", `{"username":"user-1002","owningEntity":"Example Ltd"}`)
	defer service.Close()

	c := &client.Client{
		BaseURL:  service.URL + "/v1", // https://bureau.example.com/v1
		Username: os.Getenv("BUREAU_USERNAME"),
		Password: os.Getenv("BUREAU_PASSWORD"),
		MaxWait:  time.Minute,
	}
	me, err := c.Me(context.Background())
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		fmt.Println("the user key or the password is wrong")
		return
	case err != nil:
		fmt.Println(err)
		return
	}
	fmt.Println("signed in as", me.Username, "of", me.OwningEntity)
	// Output: signed in as user-1002 of Example Ltd
}

// A call that creates something carries a key, so that it may be repeated.
func ExampleClient_Do() {
	service := pretend("POST /v1/things", `{"id":7}`)
	defer service.Close()
	c := &client.Client{BaseURL: service.URL + "/v1", Username: "user-1002", Password: "…"}

	var created struct {
		ID int64 `json:"id"`
	}
	err := c.Do(context.Background(), client.Call{
		Method: "POST", Path: "/things", Key: client.NewKey(),
		In: map[string]string{"name": "one"}, Out: &created,
	})
	var refused *client.Error
	if errors.As(err, &refused) {
		fmt.Printf("refused with %d: %s\n", refused.Status, refused.Details)
		return
	}
	fmt.Println("made", created.ID)
	// Output: made 7
}

func ExampleClient_SearchCompanies() {
	service := pretend("GET /v1/companies", `{"totalSize":1,"companies":[{"id":"GB-0-99000001","name":"Lornwell Emberwick Care LLP"}]}`)
	defer service.Close()
	c := &client.Client{BaseURL: service.URL + "/v1", Username: "user-1002", Password: "…"}

	found, err := c.SearchCompanies(context.Background(), client.CompanySearch{Countries: []string{"GB"}, Name: "lornwell"}, client.Page{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, one := range found.Companies {
		fmt.Println(one.ID, one.Name)
	}
	// Output: GB-0-99000001 Lornwell Emberwick Care LLP
}

// A list is read to its end; its pages are fetched on the way.
func ExampleClient_Events() {
	service := pretend("GET /v1/monitoring/notificationEvents",
		`{"cursor":"next","data":[{"eventId":1,"summary":"The band fell from B to C"}]}`,
		`{"cursor":null,"data":[{"eventId":2,"summary":"A director left"}]}`)
	defer service.Close()
	c := &client.Client{BaseURL: service.URL + "/v1", Username: "user-1002", Password: "…"}

	for event, err := range c.Events(context.Background(), client.EventFilter{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(event.ID, event.Summary)
	}
	// Output:
	// 1 The band fell from B to C
	// 2 A director left
}

// Whatever a search finds, page after page.
func ExampleClient_AllCompanies() {
	service := pretend("GET /v1/companies",
		`{"totalSize":2,"cursor":"next","companies":[{"id":"GB-0-99000001","name":"Lornwell Emberwick Care LLP"}]}`,
		`{"totalSize":2,"cursor":null,"companies":[{"id":"GB-0-99000340","name":"Nettlecombe Emberwick Capital PLC"}]}`)
	defer service.Close()
	c := &client.Client{BaseURL: service.URL + "/v1", Username: "user-1002", Password: "…"}

	for found, err := range c.AllCompanies(context.Background(), client.CompanySearch{Countries: []string{"GB"}, Name: "emberwick"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(found.ID, found.Name)
	}
	// Output:
	// GB-0-99000001 Lornwell Emberwick Care LLP
	// GB-0-99000340 Nettlecombe Emberwick Capital PLC
}

// Events are followed from the last one that was seen. Whoever stores its number
// with what was done about it misses nothing and does nothing twice.
func ExampleClient_Follow() {
	service := pretend("GET /v1/monitoring/notificationEvents/stream",
		"event: monitoring.event\nid: 8\ndata: {\"eventId\":8,\"summary\":\"The limit fell\"}\n\n")
	defer service.Close()
	c := &client.Client{BaseURL: service.URL + "/v1", Username: "user-1002", Password: "…"}

	for event, err := range c.Follow(context.Background(), 7) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(event.ID, event.Summary)
		break
	}
	// Output: 8 The limit fell
}

// A message is believed when its signature is right.
func ExampleVerifyWebhook() {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body := []byte(`{"type":"monitoring.event"}`)
	header := signed(secret, "msg_1", body)

	fmt.Println(client.VerifyWebhook(secret, header, body, 0))
	err := client.VerifyWebhook(secret, header, []byte(`{"type":"other"}`), 0)
	fmt.Println(errors.Is(err, client.ErrWebhookSignature))
	// Output:
	// <nil>
	// true
}

// signed is what the service sends with a message.
func signed(secret, id string, body []byte) http.Header {
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	key, _ := base64.StdEncoding.DecodeString(secret[len("whsec_"):])
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	return http.Header{
		"Webhook-Id": {id}, "Webhook-Timestamp": {stamp},
		"Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}
}

// pretend answers one operation with each answer in turn, so that the examples
// run by themselves.
func pretend(pattern string, answers ...string) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/authenticate", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"token":"opaque"}`)
	})
	mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, answers[0])
		if len(answers) > 1 {
			answers = answers[1:]
		}
	})
	return httptest.NewServer(mux)
}
