-- Since when DNS has said that a record which the mail of a verified domain depends on is not there.
alter table domains add column records_missing_since timestamptz;

-- Verified domains are checked once a day from now on; the first checks are spread over a day.
insert into jobs (kind, team_id, key, payload, run_at, created_at)
select 'domains.check', team_id, id::text, '{}', now() + random() * interval '1 day', now()
from domains where status = 'verified'
on conflict (kind, key) where key is not null do nothing;
