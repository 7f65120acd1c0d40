-- What owners and admins were warned of, so that they are warned once.

-- When a webhook that keeps failing was announced. A success after that begins a new count.
alter table webhooks add column failing_noted_at timestamptz;

-- The newest warning about each limit of a team: `percent` of it was used on `day`.
create table limit_warnings (
  team_id uuid not null references teams on delete cascade,
  limit_name text not null,
  day date not null,
  percent smallint not null,
  primary key (team_id, limit_name)
);
