-- Work to be done later or elsewhere. A row is a promise: whoever holds its lease does the work and removes the row in
-- the same transaction that records the result. `run_at` is "not before"; while leased it is the end of the lease, so a
-- dead worker's job falls due again by itself.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  team_id uuid,
  key text,
  payload jsonb not null default '{}',
  run_at timestamptz not null,
  lease_token uuid,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create unique index jobs_key on jobs (kind, key) where key is not null;
create index jobs_due on jobs (kind, run_at);

create table idempotency_keys (
  team_id uuid not null,
  endpoint text not null,
  key text not null,
  body_hash bytea not null,
  resource_ids uuid[] not null default '{}',
  status integer,
  response jsonb,
  created_at timestamptz not null,
  primary key (team_id, endpoint, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
