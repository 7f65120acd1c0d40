create table emails (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  domain_id uuid not null,
  domain_name text not null,
  from_address text not null,
  to_addresses text[] not null,
  cc_addresses text[],
  bcc_addresses text[],
  reply_to text,
  subject text not null,
  status text not null
    check (status in ('scheduled', 'sent', 'delivered', 'bounced', 'complained', 'delayed', 'cancelled')),
  -- Set while somebody hands the email over: cancelling and rescheduling must leave it alone.
  dispatching boolean not null default false,
  message_id text not null,
  tags jsonb,
  headers jsonb,
  scheduled_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (team_id, id)
) with (fillfactor = 85);
create index emails_status on emails (team_id, status, id);
create index emails_domain on emails (team_id, domain_id, id);
-- What keeps a domain from being deleted: mail being handed over this moment.
create index emails_dispatching on emails (team_id, domain_id) where dispatching;
create index emails_from on emails (team_id, from_address, id);
create index emails_search on emails using gin (team_id, subject gin_trgm_ops);

-- How far an email has come: a late or repeated event never moves it back.
create function email_status_rank(status text) returns integer language sql immutable parallel safe as $$
  select array_position(array['scheduled', 'sent', 'delayed', 'delivered', 'bounced', 'complained', 'cancelled'], status)
$$;

-- Bodies apart from the rows that lists walk.
create table email_contents (
  team_id uuid not null,
  email_id uuid not null,
  html text,
  text text,
  primary key (team_id, email_id),
  foreign key (team_id, email_id) references emails on delete cascade
);

create table email_attachments (
  team_id uuid not null,
  email_id uuid not null,
  position integer not null,
  filename text not null,
  content_type text,
  content_id text,
  content bytea not null,
  primary key (team_id, email_id, position),
  foreign key (team_id, email_id) references emails on delete cascade
);
alter table email_attachments alter column content set storage external;

create table email_events (
  team_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  type text not null,
  recipient text,
  -- The provider's id of the event, by which a repeat is known.
  provider_event_id text,
  data jsonb,
  created_at timestamptz not null,
  primary key (team_id, email_id, id),
  foreign key (team_id, email_id) references emails on delete cascade
);
create unique index email_events_provider on email_events (team_id, email_id, provider_event_id)
  where provider_event_id is not null;

-- Exact totals of lists without counting rows: folded counts plus the changes not folded yet. Both are read in one
-- snapshot, changes are only ever inserted, so no two sends wait for each other on a counter.
create table email_counts (
  team_id uuid not null,
  domain_id uuid not null,
  status text not null,
  from_address text not null,
  count bigint not null,
  primary key (team_id, domain_id, status, from_address)
);
create table email_count_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  domain_id uuid not null,
  status text not null,
  from_address text not null,
  change integer not null
);
create index email_count_changes_team on email_count_changes (team_id);

create function count_inserted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change)
    select team_id, domain_id, status, from_address, count(*) from added group by 1, 2, 3, 4;
  return null;
end $$;
create function count_deleted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change)
    select team_id, domain_id, status, from_address, -count(*) from gone group by 1, 2, 3, 4;
  return null;
end $$;
create function count_updated_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change)
    select team_id, domain_id, status, from_address, sum(change) from (
      select team_id, domain_id, status, from_address, -1 as change from gone
      union all
      select team_id, domain_id, status, from_address, 1 from added
    ) as changes group by 1, 2, 3, 4 having sum(change) <> 0;
  return null;
end $$;
create trigger count_inserted after insert on emails
  referencing new table as added for each statement execute function count_inserted_emails();
create trigger count_deleted after delete on emails
  referencing old table as gone for each statement execute function count_deleted_emails();
create trigger count_updated after update on emails
  referencing old table as gone new table as added for each statement execute function count_updated_emails();

create table inbox_messages (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  email_id uuid not null,
  from_address text not null,
  to_addresses text[] not null,
  bcc_addresses text[] not null,
  subject text not null,
  raw bytea not null,
  created_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, email_id)
);
alter table inbox_messages alter column raw set storage external;
