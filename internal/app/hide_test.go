package app

import (
	"strings"
	"testing"
)

func TestHidePasswords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "",
		"localhost:8443":          "localhost:8443",
		"data/bureau.db":          "data/bureau.db",
		"user name@example.com":   "user name@example.com",
		"https://api.example.com": "https://api.example.com",

		"postgres://bureau@db/bureau":                               "postgres://bureau@db/bureau",
		"postgres://bureau:s3cr3t@db/bureau":                        "postgres://bureau:xxxxx@db/bureau",
		"postgres://bureau:s3cr3t@db1:5432,db2:5433/bureau":         "postgres://bureau:xxxxx@db1:5432,db2:5433/bureau",
		"postgres://bureau:s3/cr3t@db/bureau":                       "postgres://bureau:xxxxx@db/bureau",
		"postgres://bureau:s3#cr3t@db/bureau":                       "postgres://bureau:xxxxx@db/bureau",
		"postgres://bureau:s3?cr3t@db/bureau":                       "postgres://bureau:xxxxx@db/bureau",
		"postgres://bureau:5/cr3t@db/bureau":                        "postgres://bureau:xxxxx@db/bureau",
		`postgres://bureau:s3 "cr3t@db/bureau`:                      "postgres://bureau:xxxxx@db/bureau",
		"postgres:bureau:s3cr3t@db/bureau":                          "***",
		"postgres:/bureau:s3cr3t@db/bureau":                         "***",
		"https://h:8443/x?mail=a@b":                                 "https://h:8443/x?mail=a@b",
		"https://[::1]:8443/a@b":                                    "https://[::1]:8443/a@b",
		"postgresql://db/bureau?password=s3cr3t&sslmode=require":    "postgresql://db/bureau?password=xxxxx&sslmode=require",
		"postgres://db/bureau?sslpassword=s3cr3t&sslkey=client.key": "postgres://db/bureau?sslpassword=xxxxx&sslkey=client.key",
		"postgres://db/bureau?p%61ssword=s3cr3t":                    "postgres://db/bureau?p%61ssword=xxxxx",

		"ofac=https://u:s3cr3t@h/x":               "ofac=https://xxxxx@h/x",
		"[ofac=https://u:s3cr3t@h/x un=http://a]": "[ofac=https://xxxxx@h/x un=http://a]",
		"https://s3cr3t@h/x?token=s3cr3t#y":       "https://xxxxx@h/x?token=xxxxx#y",
		"https://h/x?API_KEY=s3cr3t&key=s3cr3t":   "https://h/x?API_KEY=xxxxx&key=xxxxx",
		"https://h:bad/%zz?%zz=s3cr3t":            "https://h:bad/%zz?%zz=xxxxx",

		"host=db user=bureau password=s3cr3t dbname=bureau": "***",
		"password = 's3 cr3t://' host=db":                   "***",
	} {
		got := HidePasswords(text)
		if got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
		if strings.Contains(got, "cr3t") {
			t.Errorf("%q is shown with its password: %q", text, got)
		}
	}
}
