package console

// routes are all pages and acts. Nobody gets to one without a row here, and the
// row says who may.
func (s *Server) routes() []route {
	const p = Path
	return []route{
		{"GET " + p + "/sign-in", open, s.signInPage},
		{"POST " + p + "/sign-in", open, s.signIn},
		{"GET " + p + "/code", coding, s.codePage},
		{"POST " + p + "/code", coding, s.giveCode},
		{"POST " + p + "/sign-out", open, s.signOut},

		{"GET " + p + "/{$}", reader, s.today},
		{"GET " + p + "/companies", reader, s.companies},
		{"GET " + p + "/companies/{id}", reader, s.company},
		{"GET " + p + "/documents/{id}", reader, s.document},

		{"GET " + p + "/portfolios", reader, s.portfolios},
		{"POST " + p + "/portfolios", analyst, s.createPortfolio},
		{"POST " + p + "/portfolios/add", analyst, s.addToPortfolio},
		{"GET " + p + "/portfolios/{id}", reader, s.portfolio},
		{"GET " + p + "/portfolios/{id}/export.csv", reader, s.exportPortfolio},
		{"POST " + p + "/portfolios/{id}/remove", analyst, s.removeMember},
		{"GET " + p + "/portfolios/{id}/edit", reader, s.editPortfolioPage},
		{"POST " + p + "/portfolios/{id}/edit", analyst, s.editPortfolio},
		{"POST " + p + "/portfolios/{id}/delete", analyst, s.deletePortfolio},
		{"GET " + p + "/portfolios/{id}/rules", reader, s.rules},
		{"POST " + p + "/portfolios/{id}/rules/{country}/{code}", analyst, s.switchRule},
		{"POST " + p + "/portfolios/{id}/rules/{country}/{code}/trial", reader, s.tryRule},
		{"GET " + p + "/portfolios/{id}/import", reader, s.imports},
		{"POST " + p + "/portfolios/{id}/import", analyst, s.sendImport},

		{"GET " + p + "/events", reader, s.events},
		{"GET " + p + "/events.csv", reader, s.exportEvents},
		{"GET " + p + "/events/stream", reader, s.stream},
		{"GET " + p + "/events/{id}", reader, s.event},
		{"POST " + p + "/events/{id}/mark", analyst, s.markEvent},
		{"POST " + p + "/events/{id}/mute", analyst, s.muteEvent},
		{"POST " + p + "/events/mark-all", analyst, s.markAll},

		{"GET " + p + "/kyc", reader, s.kyc},
		{"POST " + p + "/kyc", analyst, s.screen},
		{"GET " + p + "/kyc/searches", reader, s.searches},
		{"GET " + p + "/kyc/searches/{kind}/{id}", reader, s.search},
		{"POST " + p + "/kyc/searches/{kind}/{id}", analyst, s.editSearch},
		{"GET " + p + "/kyc/searches/{kind}/{id}/paper.pdf", reader, s.paper},
		{"POST " + p + "/kyc/searches/{kind}/{id}/schedule", analyst, s.switchSchedule},
		{"GET " + p + "/kyc/searches/{kind}/{id}/hits/{hit}", reader, s.hit},
		{"POST " + p + "/kyc/searches/{kind}/{id}/hits/{hit}", analyst, s.decide},
		{"GET " + p + "/kyc/alerts", reader, s.alerts},
		{"GET " + p + "/kyc/schedules", reader, s.schedules},
		{"GET " + p + "/kyc/reports", reader, s.reports},
		{"POST " + p + "/kyc/reports", analyst, s.orderReport},
		{"GET " + p + "/kyc/reports/{id}/file", reader, s.reportFile},
		{"GET " + p + "/checks", reader, s.checks},
		{"POST " + p + "/checks/bank", analyst, s.checkBank},
		{"GET " + p + "/checks/identity", reader, s.identityPage},
		{"POST " + p + "/checks/identity", analyst, s.askIdentity},
		{"GET " + p + "/checks/identity/{id}", reader, s.identityFound},
		{"POST " + p + "/checks/identity/{id}", analyst, s.chooseIdentity},

		{"GET " + p + "/webhooks", reader, s.webhooks},
		{"POST " + p + "/webhooks", admin, s.createWebhook},
		{"GET " + p + "/webhooks/{id}", reader, s.webhook},
		{"POST " + p + "/webhooks/{id}", admin, s.changeWebhook},
		{"POST " + p + "/webhooks/{id}/replay", admin, s.replay},

		{"GET " + p + "/settings", reader, s.settings},
		{"POST " + p + "/settings/password", reader, s.changePassword},
		{"POST " + p + "/settings/codes/draft", reader, s.draftCodes},
		{"POST " + p + "/settings/codes", reader, s.setCodes},
		{"POST " + p + "/settings/codes/drop", reader, s.dropCodes},
		{"POST " + p + "/settings/sessions", reader, s.endSessions},
		{"GET " + p + "/people", admin, s.people},
		{"POST " + p + "/people", admin, s.addPerson},
		{"POST " + p + "/people/change", admin, s.changePerson},

		{"GET " + p + "/operator/customers", operator, s.customers},
		{"POST " + p + "/operator/customers", operator, s.addCustomer},
		{"GET " + p + "/operator/customers/{id}", operator, s.customerPage},
		{"POST " + p + "/operator/customers/{id}/grant", operator, s.grant},
		{"GET " + p + "/operator/accounts", operator, s.accounts},
		{"POST " + p + "/operator/accounts", operator, s.openAccount},
		{"POST " + p + "/operator/accounts/change", operator, s.changeAnyAccount},
		{"GET " + p + "/operator/usage", operator, s.usage},
		{"GET " + p + "/operator/imports", operator, s.registerImports},
		{"GET " + p + "/operator/imports/{id}", operator, s.registerImport},
		{"GET " + p + "/operator/jobs", operator, s.jobs},
		{"GET " + p + "/operator/keys", operator, s.keys},
		{"POST " + p + "/operator/keys/rotate", operator, s.rotateKey},
		{"GET " + p + "/operator/audit", operator, s.audit},
		{"GET " + p + "/operator/health", operator, s.health},

		// Whatever else is under it is not there, for who is signed in; others
		// are sent to the door.
		{"GET " + p + "/", reader, s.nothing},
	}
}
