-- The second wall. Whoever owns the tables sees and changes all of them; whoever
-- was only lent them, as the role is under which a customer's call is served (see
-- wall.go), sees and changes what belongs to the customer in the setting
-- bureau.customer. Without the setting it is an error to look.

CREATE POLICY wall ON customer USING (id = current_setting('bureau.customer')::bigint);
ALTER TABLE customer ENABLE ROW LEVEL SECURITY;

CREATE POLICY wall ON account USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE account ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON audit USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON usage USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON portfolio USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE portfolio ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON portfolio_share USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE portfolio_share ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON member USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE member ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON watcher USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE watcher ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON event USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON event_total USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE event_total ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON task USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE task ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON webhook USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE webhook ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON delivery USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE delivery ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON bank_verification USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE bank_verification ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON bank_match USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE bank_match ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON mail USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE mail ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON identity_search USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE identity_search ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON consumer_letter USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE consumer_letter ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_setting USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_setting ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_subject USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_subject ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_search USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_search ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_hit USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_hit ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_decision USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_decision ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_schedule USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_schedule ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_profile USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_profile ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_report USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_report ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_batch USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_batch ENABLE ROW LEVEL SECURITY;

-- What belongs to a customer through something else: it is there for whom that
-- other thing is there.
CREATE POLICY wall ON rule_setting USING (EXISTS (SELECT 1 FROM portfolio AS p WHERE p.id = rule_setting.portfolio));
ALTER TABLE rule_setting ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON quiet USING (EXISTS (SELECT 1 FROM portfolio AS p WHERE p.id = quiet.portfolio));
ALTER TABLE quiet ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON digest USING (EXISTS (SELECT 1 FROM portfolio AS p WHERE p.id = digest.portfolio));
ALTER TABLE digest ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_note USING (EXISTS (SELECT 1 FROM kyc_profile AS p WHERE p.id = kyc_note.profile));
ALTER TABLE kyc_note ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_profile_search USING (EXISTS (SELECT 1 FROM kyc_profile AS p WHERE p.id = kyc_profile_search.profile));
ALTER TABLE kyc_profile_search ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_batch_row USING (EXISTS (SELECT 1 FROM kyc_batch AS p WHERE p.id = kyc_batch_row.batch));
ALTER TABLE kyc_batch_row ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON kyc_watch USING (EXISTS (SELECT 1 FROM kyc_schedule AS p WHERE p.id = kyc_watch.schedule));
ALTER TABLE kyc_watch ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON idempotent_reply USING (EXISTS (SELECT 1 FROM account AS p WHERE p.id = idempotent_reply.account));
ALTER TABLE idempotent_reply ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON call_count USING (EXISTS (SELECT 1 FROM account AS p WHERE p.id = call_count.account));
ALTER TABLE call_count ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON console_session USING (EXISTS (SELECT 1 FROM account AS p WHERE p.id = console_session.account));
ALTER TABLE console_session ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON console_code USING (EXISTS (SELECT 1 FROM account AS p WHERE p.id = console_code.account));
ALTER TABLE console_code ENABLE ROW LEVEL SECURITY;

-- A file is nobody's until a task takes it up, or everybody's if it is a document.
CREATE POLICY wall ON file USING (task <= 0 OR EXISTS (SELECT 1 FROM task AS t WHERE t.id = file.task));
ALTER TABLE file ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON file_chunk USING (EXISTS (SELECT 1 FROM file AS f WHERE f.id = file_chunk.file));
ALTER TABLE file_chunk ENABLE ROW LEVEL SECURITY;

-- When the first event with a number or a higher one was made, whosever it is: the
-- times of events grow with their numbers, and to find that out among a customer's
-- own would mean to read past all the others.
CREATE FUNCTION event_made(number BIGINT) RETURNS BIGINT
LANGUAGE SQL STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT created_at FROM event WHERE id >= number ORDER BY id LIMIT 1;
END;
