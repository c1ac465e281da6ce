-- The last two large tables whose keys did not say which company a row is about. The
-- company stands behind what was in them: a source's key is one company's, which
-- register.go sees to, and a document's number is made from its company.
ALTER TABLE statement DROP CONSTRAINT statement_pkey, ADD PRIMARY KEY (source, key, company);

-- Companies are sorted by their bytes here too, as in all other tables.
ALTER TABLE document ALTER COLUMN company TYPE TEXT COLLATE "C";
ALTER TABLE document DROP CONSTRAINT document_pkey, ADD PRIMARY KEY (id, company);
