-- How many emails of a searched word there are up to an id, so that a common word is counted once and not at each search.
-- Of emails that old, rows come and go no more; a status that moves still raises the team's epoch, and counts of an
-- earlier epoch are not believed.
create table email_search_counts (
  team_id uuid not null references teams on delete cascade,
  pattern text not null,
  -- The nil UUID and the empty text: of all domains, of all statuses.
  domain_id uuid not null,
  status text not null,
  through_id uuid not null,
  epoch bigint not null,
  count bigint not null,
  counted_at timestamptz not null,
  primary key (team_id, pattern, domain_id, status)
);

create table email_search_epochs (
  team_id uuid primary key references teams on delete cascade,
  epoch bigint not null
);
