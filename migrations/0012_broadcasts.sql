create table broadcasts (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  from_address text not null,
  -- Of `from_address`; it need be a verified domain of the team only when the broadcast is sent.
  domain_name text not null,
  segment_id uuid not null,
  -- Shown once the segment is deleted.
  segment_name text not null,
  topic_id uuid,
  reply_to text,
  subject text not null,
  html text,
  text text,
  -- The text was made from the HTML, and is made anew when that changes.
  text_made boolean not null default false,
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'queued', 'sending', 'sent')),
  scheduled_at timestamptz,
  -- Its segment has been read to the end.
  planned_at timestamptz,
  -- The last contact, in the order of their ids, for whom it was decided whether to send.
  reached uuid not null default '00000000-0000-0000-0000-000000000000',
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (team_id, id)
);
-- What keeps a domain, a segment or a topic from being deleted.
create index broadcasts_unfinished on broadcasts (team_id, domain_name) where status in ('scheduled', 'queued', 'sending');

-- One row a contact and broadcast, whatever happens: this is what makes "at most once" true. No foreign key: a check for
-- each of a hundred thousand rows costs as much as the rows, and broadcasts that have recipients are never deleted.
create table broadcast_recipients (
  team_id uuid not null,
  broadcast_id uuid not null,
  contact_id uuid not null,
  -- Null: planned. Otherwise what was decided when its turn came; `gone`: the contact had been deleted.
  outcome text check (outcome in ('sent', 'unsubscribed', 'suppressed', 'not_opted_in', 'cancelled', 'gone')),
  email_id uuid,
  -- Its email was handed over, or never will be.
  settled boolean not null default false,
  delivered boolean not null default false,
  opened boolean not null default false,
  clicked boolean not null default false,
  bounced boolean not null default false,
  complained boolean not null default false,
  primary key (team_id, broadcast_id, contact_id)
) with (fillfactor = 80);
create unique index broadcast_recipients_email on broadcast_recipients (team_id, email_id) where email_id is not null;
-- Emails of a broadcast that wait to be handed over: a few thousand at a time.
create index broadcast_recipients_under_way on broadcast_recipients (team_id, broadcast_id)
  where outcome = 'sent' and not settled;

-- A letter is written once for many emails. Each keeps only what differs, and is rendered when somebody needs it.
create table email_letters (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  html text,
  text text,
  primary key (team_id, id)
);
alter table email_contents
  add column letter_id uuid,
  add column variables jsonb,
  -- The token in its links is made from it when it is sent: tokens themselves are kept nowhere.
  add column unsubscribe_seed text;
