create table templates (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  html text,
  text text,
  status text not null default 'draft' check (status in ('draft', 'published')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);

create extension if not exists pg_trgm;
-- Search indexes begin with the team: one team's search never reads another's rows.
create extension if not exists btree_gin;

create table suppressions (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  email text not null,
  -- The address as it is compared: lower case, domain in ASCII.
  email_normalized text not null,
  reason text not null check (reason in ('unsubscribe', 'bounce', 'complaint', 'manual')),
  created_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, email_normalized)
);
create index suppressions_search on suppressions using gin (team_id, email gin_trgm_ops);
