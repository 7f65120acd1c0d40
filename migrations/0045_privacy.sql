-- Requests to export or erase all that is known of a person. `person` is encrypted, and removed when the request ends.
create table privacy_requests (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  type text not null check (type in ('export', 'erase')),
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  person text,
  -- The place of the job: the number of the round, the kind of row, and the key after which the next page begins.
  round integer not null default 0,
  trace text,
  after text not null default '',
  -- By kind of row: {"found", "removed", "left"}.
  counts jsonb not null default '{}',
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (team_id, id)
);
create index privacy_requests_ended on privacy_requests (finished_at) where finished_at is not null;

-- The rows of an export, encrypted, a page each, until a day after its end.
create table privacy_export_parts (
  team_id uuid not null,
  request_id uuid not null,
  position integer not null,
  name text not null,
  content text not null,
  primary key (team_id, request_id, position),
  foreign key (team_id, request_id) references privacy_requests on delete cascade
);
