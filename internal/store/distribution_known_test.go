package store

// What stands between today's schema and a distributed PostgreSQL, table by table
// and query by query. The lists may only shrink, or be argued for: what is
// no longer true fails the tests.

// lacking is what keeps a table from its place: nothing does.
var lacking = map[string]string{}

// joining are the functions with a query that brings tables of two groups together,
// whose rows are on different machines: each would need two queries, or a copy of what
// it wants beside the rows it is for.
var joining = ``

// straying are the queries that do not say on which machine the rows are, by the
// reason why: function.table each. Those that fan out do so on purpose and would
// go on doing it; the others would be given the column, which their callers know.
var straying = map[string]string{
	"fans out: reads the whole register, at a start or for an import": `
		Companies.company CompanyIDs.company Lands.company Count.company Fingerprints.statement`,
	"fans out: work for everybody that comes by every so often and finds its few rows by an index on each machine": `
		Deadlines.company Undated.company ScoresDue.company Unwatch.watcher DeletePortfolio.watcher OldConsumers.consumer
		lockOld.event_total DueDigests.portfolio TidyDigests.portfolio
		ForgetDeliveries.delivery Backlog.delivery DeadLetters.delivery
		OldSubjects.kyc_search OldSubjects.kyc_subject ForgetBatches.kyc_batch ForgetBatches.kyc_batch_row ForgetReports.kyc_report
		ForgetTasks.file ForgetTasks.file_chunk DropDocuments.document DropBankRecords.bank_record`,
	"fans out: counts, sorts or searches a portfolio by what the register says of its companies; each machine does so with those that it has": `
		Bands.watcher Bands.company sortMembers.watcher sortMembers.company
		watchedBehind.watcher watchedBehind.company watchedBehind.company_ident`,
	"fans out: the doctor reads the database through": `
		numberedLogs.change numberedLogs.event inspectRows.statement totalKinds.event totalKinds.event_total`,
	"fans out: finds a company or a person by something else than its ID, with one look into an index on each machine": `
		keysOf.statement Find.company_ident findIdents.company_ident findMany.company_ident Numbered.company_ident KeyHolders.search_key
		safeNumbered.company_ident FindConsumers.consumer_key ConsumersByKey.consumer_key HasBankRecords.bank_record`,
	"fans out: a person asks who looked for them, whichever customer it was": `
		SearchesOf.identity_search LettersOf.consumer_letter`,
	"fans out: an entry of a list or a company changed, and those who watch it may be anybody's": `
		KYCHitsOn.kyc_hit KYCHitsOn.kyc_search KYCHitsOn.kyc_schedule
		KYCWatchedByID.kyc_schedule KYCWatchedByID.kyc_search KYCWatchedByID.kyc_subject
		KYCWatchedOf.kyc_profile KYCWatchedOf.kyc_profile_search KYCWatchedOf.kyc_search`,
	"fans out: an operator asks about one search, whosever it is": `
		KYCAnswer.kyc_search`,
	"one log with one order: its reader asks for what comes after a number; needs a log for each shard": `
		Changes.change CoverEvents.change Round.delivery firstEventAt.event EventsAfter.event EventsAfter.portfolio
		KYCWatching.kyc_watch KYCWatched.kyc_schedule KYCWatched.kyc_search KYCWatched.kyc_subject`,
	"fans out: a link in a mail, which never ends, names the portfolio alone": `
		Unsubscribe.portfolio`,
	"not on PostgreSQL: there a function of the schema asks it": `
		sqliteDialect.event`,
	"not on PostgreSQL: there the company is looked up first": `
		keepKeys.statement`,
	"fans out: a document is asked for by its own number, which does not tell its company, with one look into an index on each machine": `
		Document.document`,
	"not seen: the table and the condition are handed to one function for several tables; each condition names the customer": `
		purge.kyc_decision Traces.kyc_subject`,
}
