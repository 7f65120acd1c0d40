-- Contacts, and what they belong to. Counts are kept as those of emails are: statements append changes, a job folds them.
create table contacts (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  -- As given; unique whatever its case.
  email text not null,
  email_key text not null,
  first_name text,
  last_name text,
  phone_number text,
  unsubscribed boolean not null default false,
  properties jsonb not null default '{}',
  -- The unsubscribe token follows from the seed and APP_SECRET; found by the token's hash alone.
  unsubscribe_seed text not null,
  unsubscribe_hash text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What a search looks through; nobody can search for the line break between them.
  search_text text generated always as (email || E'\n' || coalesce(first_name, '') || E'\n' || coalesce(last_name, '')) stored,
  primary key (team_id, id),
  unique (team_id, email_key)
);
create unique index contacts_unsubscribe on contacts (unsubscribe_hash);
create index contacts_search on contacts using gin (team_id, search_text gin_trgm_ops);

create table segments (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (team_id, id)
);

create table segment_contacts (
  team_id uuid not null,
  segment_id uuid not null,
  contact_id uuid not null,
  added_at timestamptz not null,
  primary key (team_id, segment_id, contact_id),
  foreign key (team_id, segment_id) references segments on delete cascade,
  foreign key (team_id, contact_id) references contacts on delete cascade
);
create index segment_contacts_contact on segment_contacts (team_id, contact_id);

create table topics (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (team_id, id)
);

create table topic_subscriptions (
  team_id uuid not null,
  topic_id uuid not null,
  contact_id uuid not null,
  status text not null check (status in ('opt_in', 'opt_out')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, topic_id, contact_id),
  foreign key (team_id, topic_id) references topics on delete cascade,
  foreign key (team_id, contact_id) references contacts on delete cascade
);
create index topic_subscriptions_contact on topic_subscriptions (team_id, contact_id);
