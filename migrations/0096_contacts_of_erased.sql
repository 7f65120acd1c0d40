-- Contacts from before 0095 have no erased form. A job adds it, a page in each commit, since the database cannot compute the hash.
insert into jobs (kind, key, payload, run_at, created_at)
select 'contacts.mark-erased', 'all', '{}', now(), now() where exists (select from contacts)
on conflict (kind, key) where key is not null do nothing;
