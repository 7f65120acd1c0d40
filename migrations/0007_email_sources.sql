-- A message that was submitted complete, as it is sent: everything but the signature.
create table email_sources (
  team_id uuid not null,
  email_id uuid not null,
  raw bytea not null,
  primary key (team_id, email_id),
  foreign key (team_id, email_id) references emails on delete cascade
);
alter table email_sources alter column raw set storage external;
