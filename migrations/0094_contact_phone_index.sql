-- outside a transaction
-- Finds the contacts of a person whose export or erasure names a phone number.
create index concurrently contacts_phone on contacts (team_id, phone_number) where phone_number is not null;
