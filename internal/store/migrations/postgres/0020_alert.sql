-- What repeated searches of internal/kyc need to hear of companies and entries.

-- company: the ID that a profile's country and register number spell; '' if it
-- names none.
ALTER TABLE kyc_profile ADD COLUMN company TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX kyc_profile_company ON kyc_profile (company) WHERE company <> '';

-- also: whom a schedule looks for besides the subject of its search, since the
-- register says that its company has other names or officers now. As JSON.
ALTER TABLE kyc_schedule ADD COLUMN also TEXT NOT NULL DEFAULT '[]';

-- Who was told of an entry, when it goes.
CREATE INDEX kyc_hit_entry ON kyc_hit (entry) WHERE current = 1;

-- Those who follow the register for screening begin now: what is in it already
-- is met by those who follow the lists.
INSERT INTO place (name, number)
SELECT name, last_number FROM change_log, (SELECT 'kyc listed companies' AS name UNION ALL SELECT 'kyc companies' AS name) AS readers
WHERE change_log.id = 1;
