-- Spreads Bureau's tables over the machines of a distributed PostgreSQL (Citus 12 or newer).
-- docs/scaling.md says why each table lies where it does, and what is missing before
-- this can be used: it has not been run on Citus. A test compares this file with the schema.
--
-- Run it once, as the owner of the tables, on an empty database that `bureau migrate` has
-- made, on the machine that the nodes connect to. Tables that are not named here stay there.

CREATE EXTENSION IF NOT EXISTS citus;
SET citus.shard_count = 32;

-- Small tables that others are joined with: every machine has them whole.
SELECT create_reference_table('customer');
SELECT create_reference_table('account');
SELECT create_reference_table('webhook');
SELECT create_reference_table('kyc_setting');
SELECT create_reference_table('screening_list');
SELECT create_reference_table('list_version');
SELECT create_reference_table('list_entry');
SELECT create_reference_table('entry_version');
SELECT create_reference_table('entry_change');
SELECT create_reference_table('modulus_table');
SELECT create_reference_table('rule_setting');
SELECT create_reference_table('quiet');

-- Companies and what is said of them. Who watches a company lies beside it: the engine asks
-- by company, and the changes that it asks for are there too.
SELECT create_distributed_table('company', 'id', colocate_with => 'none');
SELECT create_distributed_table('company_ident', 'company', colocate_with => 'company');
SELECT create_distributed_table('search_key', 'company', colocate_with => 'company');
SELECT create_distributed_table('watcher', 'company', colocate_with => 'company');
SELECT create_distributed_table('change', 'company', colocate_with => 'company');
SELECT create_distributed_table('statement', 'company', colocate_with => 'company');
SELECT create_distributed_table('document', 'company', colocate_with => 'company');

-- What belongs to customers. A customer is on one machine, with everything that is joined
-- in its calls.
SELECT create_distributed_table('usage', 'customer', colocate_with => 'none');
SELECT create_distributed_table('kyc_subject', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('portfolio', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('portfolio_share', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('member', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('event', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('event_total', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('delivery', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_search', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_hit', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_decision', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_schedule', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_watch', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_profile', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_note', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_profile_search', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_report', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_batch', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('kyc_batch_row', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('bank_verification', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('bank_match', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('identity_search', 'customer', colocate_with => 'usage');
SELECT create_distributed_table('consumer_letter', 'customer', colocate_with => 'usage');

-- People.
SELECT create_distributed_table('consumer', 'id', colocate_with => 'none');
SELECT create_distributed_table('consumer_key', 'consumer', colocate_with => 'consumer');
SELECT create_distributed_table('consumer_right', 'consumer', colocate_with => 'consumer');
SELECT create_distributed_table('consumer_change', 'consumer', colocate_with => 'consumer');

-- Files, in pieces: those of customers and the documents of companies.
SELECT create_distributed_table('file', 'id', colocate_with => 'none');
SELECT create_distributed_table('file_chunk', 'file', colocate_with => 'file');

-- Accounts, branches and banks.
SELECT create_distributed_table('bank_record', 'key', colocate_with => 'none');
