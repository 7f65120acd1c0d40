-- `failures`: failed attempts in a row. `take_ups`: how often in a row a lease ran out, because a process ended.
-- `endings`: how often a process ended while it did a dangerous part of the job, and of no other job.
alter table jobs
  add column failures integer not null default 0,
  add column take_ups integer not null default 0,
  add column endings integer not null default 0;
create index jobs_failing on jobs (kind) where last_error is not null and lease_token is null;

-- Jobs that failed too often. They are not in `jobs`, so workers never look at them, and a new job may have their key.
create table discarded_jobs (
  id bigint primary key,
  kind text not null,
  team_id uuid,
  key text,
  payload jsonb not null,
  attempts integer not null,
  error text not null,
  created_at timestamptz not null,
  discarded_at timestamptz not null
);
create index discarded_jobs_kind on discarded_jobs (kind);
create index discarded_jobs_team on discarded_jobs (team_id, id);
create index discarded_jobs_age on discarded_jobs (discarded_at);
