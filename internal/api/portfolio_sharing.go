package api

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

type portfolioSharesJSON struct {
	CorrelationID string              `json:"correlationId"`
	Data          portfolioSharesData `json:"data"`
}

type portfolioSharesData struct {
	PortfolioID string      `json:"portfolioId" example:"100001"`
	CustomerID  int64       `json:"customerId"`
	Shares      []shareJSON `json:"userPermission"`
}

type shareJSON struct {
	AccountID  int64  `json:"csUserId"`
	UserName   string `json:"userName" doc:"The account's user key."`
	Permission string `json:"permission" doc:"What it may do." example:"view,add"`
}

func (s *Server) portfolioShares(ctx context.Context, in *PortfolioIn) (*reply[portfolioSharesJSON], error) {
	list, err := s.Portfolios.Shares(ctx, in.by, in.id())
	if err != nil {
		return nil, err
	}
	out := portfolioSharesJSON{CorrelationID: in.correlation, Data: portfolioSharesData{
		PortfolioID: decimal(in.Portfolio), CustomerID: int64(in.by.Customer), Shares: []shareJSON{},
	}}
	for _, share := range list {
		a, _ := s.Directory.Account(share.Account)
		out.Data.Shares = append(out.Data.Shares, shareJSON{int64(share.Account), a.UserKey, share.Rights.String()})
	}
	return ok(out), nil
}

type sharePortfolioIn struct {
	PortfolioIn
	Body struct {
		RevokeAll looseBool `json:"revokeAll,omitempty"`
		Shares    []struct {
			AccountID   int64  `json:"csUserId" doc:"An account of your company; see /access/users/active."`
			Permissions string `json:"permissions" doc:"Any of view, add, edit, remove; all; or none." example:"view,add"`
		} `json:"userPermissions,omitempty" maxItems:"1000"`
	}
}

type sharedJSON struct {
	CorrelationID string     `json:"correlationId"`
	Data          sharedData `json:"data"`
}

type sharedData struct {
	PortfolioID string `json:"portfolioId" example:"100001"`
	CustomerID  int64  `json:"customerId"`
	Status      string `json:"status" example:"Success"`
}

func (s *Server) sharePortfolio(ctx context.Context, in *sharePortfolioIn) (*reply[sharedJSON], error) {
	if err := s.Portfolios.MayShare(ctx, in.by, in.id()); err != nil {
		return nil, err
	}
	var list []monitor.Share
	var wrong []string
	for i, share := range in.Body.Shares {
		rights, err := monitor.ParseRights(share.Permissions)
		if v, ok := fault.Of(err); ok {
			wrong = append(wrong, fmt.Sprintf("userPermissions[%d].%s", i, v.Text))
		}
		list = append(list, monitor.Share{Account: auth.AccountID(share.AccountID), Rights: rights})
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid.Details("Bad request", wrong...)
	}
	if err := s.Portfolios.Share(ctx, in.by, in.id(), bool(in.Body.RevokeAll), list); err != nil {
		return nil, err
	}
	return ok(sharedJSON{in.correlation, sharedData{decimal(in.Portfolio), int64(in.by.Customer), "Success"}}), nil
}
