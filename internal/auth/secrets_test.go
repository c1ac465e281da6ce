package auth_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bureau/internal/auth"
	"bureau/internal/store"
)

func base64url(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// A14: whoever reads the database, or a backup of it, finds no private key, no
// password, no token and no address.
func TestDatabaseHoldsNoSecret(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		ctx := t.Context()
		h := openHouse(t, url, newClock(), plan{})
		secrets := map[string][]byte{}
		c := h.customer("Acme", auth.Companies)
		_, password := h.account(c, "acme-api")
		secrets["issued password"] = []byte(password)
		_, _, err := h.office.AddAccount(ctx, auth.NewAccount{
			Customer: c.ID, UserKey: "ann", Email: "ann@acme.test", Chosen: "correct horse battery",
		})
		if err != nil {
			t.Fatal(err)
		}
		secrets["console password"] = []byte("correct horse battery")
		if _, err := h.office.SetChosenPassword(ctx, "ann", "staple of the rhyme", false); err != nil {
			t.Fatal(err)
		}
		secrets["chosen password"] = []byte("staple of the rhyme")
		for _, alg := range auth.Algs() {
			h.office.Schedule.Alg = alg
			if _, err := h.office.RotateKey(ctx, true); err != nil {
				t.Fatal(err)
			}
			token := h.token("acme-api", password)
			secrets[alg+" token"] = []byte(token)
			secrets[alg+" token's signature"] = []byte(token[strings.LastIndexByte(token, '.')+1:])
		}
		h.try(from(77), "acme-api", "a wrong password, tried")
		secrets["wrong password"] = []byte("a wrong password, tried")
		secrets["address"] = []byte(from(77).String())
		for _, k := range h.dir.Keys() {
			addPrivate(t, h, k, secrets)
		}

		var dump []byte
		if store.IsPostgres(url) {
			dump = dumpPostgres(t, url)
			for name, s := range secrets { // bytes are dumped as hex
				secrets[name+" as hex"] = []byte(hex.EncodeToString(s))
			}
		} else {
			dump = readAll(t, filepath.Dir(url)) // with the log beside it
			h.stop()
			dump = append(dump, readAll(t, filepath.Dir(url))...)
		}
		if !bytes.Contains(dump, []byte("acme-api")) {
			t.Fatal("the dump does not even hold the user key: it is no dump")
		}
		for name, s := range secrets {
			if bytes.Contains(dump, s) || bytes.Contains(dump, []byte(base64url(string(s)))) {
				t.Errorf("the database holds the %s", name)
			}
		}
	})
}

// addPrivate adds a key's private parts, in the forms in which one would keep them.
func addPrivate(t *testing.T, h *house, k auth.Key, secrets map[string][]byte) {
	t.Helper()
	pkcs8, err := h.vault.PrivateBytes(k)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprint(k.Alg, " key ", k.ID)
	secrets[name] = pkcs8
	private, err := x509.ParsePKCS8PrivateKey(pkcs8)
	if err != nil {
		t.Fatal(err)
	}
	switch p := private.(type) {
	case ed25519.PrivateKey:
		secrets["seed of "+name] = p.Seed()
	case *ecdsa.PrivateKey:
		if secrets["number of "+name], err = p.Bytes(); err != nil {
			t.Fatal(err)
		}
	case *rsa.PrivateKey:
		secrets["prime of "+name] = p.Primes[0].Bytes()
	default:
		t.Fatalf("a key of type %T", private)
	}
}

func readAll(t *testing.T, dir string) (all []byte) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

// dumpPostgres writes out every row of every table.
func dumpPostgres(t *testing.T, url string) (all []byte) {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		var text string
		if err := conn.QueryRow(ctx, `SELECT COALESCE(string_agg(x::text, E'\n'), '') FROM `+table+` x`).Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return all
}
