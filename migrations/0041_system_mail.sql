-- Mail of the installation to its users. It may hold links of other people, so only owners and admins of its team see it.
alter table emails add column system boolean not null default false;
alter table inbox_messages add column system boolean not null default false;
create index emails_system on emails (team_id, id) where system;

-- How many system mails of a kind were sent to an address or a team in an hour or a day.
create table system_mail_counts (
  since timestamptz not null,
  kind text not null,
  -- A keyed hash of the address or the team.
  subject bytea not null,
  count integer not null,
  primary key (since, kind, subject)
);
