package auth

import "context"

// CountPeople is CountRead for a call that showed people who are named in the
// audit log as Vault.Person names them, so that each of them can be told who
// looked. A call that found nobody is counted and kept too.
func (g *Gate) CountPeople(ctx context.Context, by Caller, p Product, country string, people []string, what string) error {
	u := g.usage(by, p, country)
	first := ""
	if len(people) > 0 {
		first, people = people[0], people[1:]
	}
	entry := Entry{Action: PersonRead, Customer: by.Customer, Account: by.Account, Person: first, Detail: what}
	if err := g.Journal.put(ctx, &note{usage: &u, entry: &entry}); err != nil {
		return err
	}
	return g.NotePeople(ctx, by, people, what)
}

// NotePeople keeps that people were shown by a call that is not counted.
func (g *Gate) NotePeople(ctx context.Context, by Caller, people []string, what string) error {
	for _, who := range people {
		err := g.Journal.Write(ctx, Entry{Action: PersonRead, Customer: by.Customer, Account: by.Account, Person: who, Detail: what})
		if err != nil {
			return err
		}
	}
	return nil
}
