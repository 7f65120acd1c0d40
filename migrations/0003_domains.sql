create table domains (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  status text not null default 'not_started'
    check (status in ('not_started', 'pending', 'verified', 'failed', 'temporary_failure')),
  region text not null,
  click_tracking boolean not null default false,
  open_tracking boolean not null default false,
  tls text not null default 'opportunistic' check (tls in ('opportunistic', 'enforced')),
  custom_return_path text,
  -- What mail carries in MAIL FROM: a changed return path takes its place once its own records are verified.
  return_path text not null,
  dkim_public_key text not null,
  dkim_private_key text not null,
  record_statuses jsonb not null default '{}',
  -- The first check of the records as they now are: 72 hours after it, what is missing has failed.
  first_checked_at timestamptz,
  -- Checks are numbered as they begin, and one is recorded only where no later one was: a slow check overwrites nothing.
  checks_begun integer not null default 0,
  check_recorded integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, name)
);
-- A name is verified by one team only; while it is not verified, any team may claim it.
create unique index domains_verified_name on domains (name) where status = 'verified';

alter table api_keys add foreign key (team_id, domain_id) references domains (team_id, id) on delete cascade;
create index api_keys_domain on api_keys (team_id, domain_id) where domain_id is not null;
