-- The keyed hash of the address of a contact that was made after the person had been erased: that of the suppression. The database alone
-- cannot compute it, and the audience of a broadcast is counted there. Contacts that exist already have none.
alter table contacts add column erased_form text;
