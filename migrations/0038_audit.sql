-- One row for each change of configuration, people, keys, secrets, billing and suppressions, written in the change's commit.
create table audit_entries (
  team_id uuid not null references teams (id) on delete cascade,
  id uuid not null,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('user', 'api_key', 'operator', 'system')),
  actor_id uuid,
  actor_name text not null,
  action text not null,
  target_type text not null,
  target_id text not null,
  target_name text,
  changes jsonb not null,
  address text,
  request_id text,
  primary key (team_id, id)
);
create index audit_entries_at on audit_entries (at);
