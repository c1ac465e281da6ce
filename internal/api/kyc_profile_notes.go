package api

import (
	"context"
	"strings"

	"bureau/internal/kyc"
)

// ProfileNoteJSON is a note on a profile.
type ProfileNoteJSON struct {
	ID         string  `json:"id" format:"uuid"`
	Body       string  `json:"body"`
	Archived   bool    `json:"isArchived"`
	CreatedAt  string  `json:"createdAt"`
	CreatedID  int64   `json:"createdById"`
	CreatedBy  string  `json:"createdBy"`
	ModifiedAt *string `json:"modifiedAt"`
	ModifiedID *int64  `json:"modifiedById"`
	ModifiedBy *string `json:"modifiedBy"`
	LinkedTo   *string `json:"linkedTo" doc:"Which part of the profile it is about; null: all of it."`
}

func (s *Server) toProfileNoteJSON(n *kyc.Note) ProfileNoteJSON {
	out := ProfileNoteJSON{
		ID: string(n.ID), Body: n.Body, Archived: n.Archived,
		CreatedAt: naive(n.Created.At), CreatedID: int64(n.Created.By), CreatedBy: s.userName(n.Created.By),
	}
	out.ModifiedAt, out.ModifiedID, out.ModifiedBy = s.actOrNull(n.Modified)
	return out
}

type oneNoteJSON struct {
	ProfileNoteJSON
	CorrelationID string `json:"correlationId"`
}

type createProfileNoteIn struct {
	caller
	ProfileOf
	Body struct {
		Body *string `json:"body" doc:"What there is to say." example:"Spoke to the director."`
	}
}

func (s *Server) createProfileNote(ctx context.Context, in *createProfileNoteIn) (*reply[oneNoteJSON], error) {
	n, err := s.Profiles.AddNote(ctx, in.by, in.profile(), textOf(in.Body.Body))
	if err != nil {
		return nil, err
	}
	return ok(oneNoteJSON{s.toProfileNoteJSON(&n), in.correlation}), nil
}

type profileNotesIn struct {
	caller
	ProfileOf
	ProfilePage
	Term     string `query:"searchTerm" maxLength:"200" doc:"Part of a note."`
	Archived string `query:"isArchived" enum:"true,false,null," doc:"true: only those in the archive; false: only the others; null or nothing: all."`
}

type profileNotesJSON struct {
	Items         []ProfileNoteJSON `json:"items"`
	Total         int64             `json:"totalSize" doc:"How many there are on all pages."`
	CorrelationID string            `json:"correlationId"`
}

func (s *Server) profileNotes(ctx context.Context, in *profileNotesIn) (*reply[profileNotesJSON], error) {
	q := kyc.NoteQuery{Term: in.Term, Skip: in.skip(), Limit: in.Size}
	if in.Archived == "true" || in.Archived == "false" {
		is := in.Archived == "true"
		q.Archived = &is
	}
	list, total, err := s.Profiles.Store.Notes(ctx, in.by, in.profile(), q)
	if err != nil {
		return nil, err
	}
	out := profileNotesJSON{make([]ProfileNoteJSON, 0, len(list)), total, in.correlation}
	for i := range list {
		out.Items = append(out.Items, s.toProfileNoteJSON(&list[i]))
	}
	return ok(out), nil
}

type profileNoteIn struct {
	caller
	ProfileOf
	Note string `path:"noteId" format:"uuid" doc:"The note's id."`
}

func (in *profileNoteIn) note() kyc.NoteID { return kyc.NoteID(strings.ToLower(in.Note)) }

func (s *Server) profileNote(ctx context.Context, in *profileNoteIn) (*reply[oneNoteJSON], error) {
	n, err := s.Profiles.Store.Note(ctx, in.by, in.profile(), in.note())
	if err != nil {
		return nil, err
	}
	return ok(oneNoteJSON{s.toProfileNoteJSON(&n), in.correlation}), nil
}

type updateProfileNoteIn struct {
	caller
	ProfileOf
	Note string `path:"noteId" format:"uuid" doc:"The note's id."`
	Body struct {
		Body     *string    `json:"body,omitempty"`
		Archived *looseBool `json:"isArchived,omitempty"`
	}
}

func (s *Server) updateProfileNote(ctx context.Context, in *updateProfileNoteIn) (*reply[oneNoteJSON], error) {
	n, err := s.Profiles.ChangeNote(ctx, in.by, in.profile(), kyc.NoteID(strings.ToLower(in.Note)), func(n *kyc.Note) {
		if in.Body.Body != nil {
			n.Body = *in.Body.Body
		}
		if in.Body.Archived != nil {
			n.Archived = bool(*in.Body.Archived)
		}
	})
	if err != nil {
		return nil, err
	}
	return ok(oneNoteJSON{s.toProfileNoteJSON(&n), in.correlation}), nil
}

func (s *Server) deleteProfileNote(ctx context.Context, in *profileNoteIn) (*none, error) {
	return nil, s.Profiles.DeleteNote(ctx, in.by, in.profile(), in.note())
}
