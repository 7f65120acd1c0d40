create table sms_senders (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  -- The sender ID value: a name or a number.
  sender_id text not null,
  sender_type text not null check (sender_type in ('alphanumeric_id', 'long_code', 'toll_free', 'short_code')),
  status text not null default 'not_started'
    check (status in ('not_started', 'pending', 'active', 'failed', 'rejected', 'suspended')),
  default_message_type text not null check (default_message_type in ('transactional', 'promotional')),
  country text not null,
  provider_ref text,
  rejection_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, sender_id)
);
-- Whom a text message to a number is for; the team is what is looked for.
create index sms_senders_number on sms_senders (sender_id) where status = 'active';

create table sms_messages (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  sender_id uuid not null,
  -- As it was when the message was sent.
  sender_name text not null,
  to_number text not null,
  body text not null,
  message_type text not null check (message_type in ('transactional', 'promotional')),
  status text not null check (status in ('accepted', 'queued', 'sent', 'delivered', 'failed', 'undelivered')),
  segments integer not null,
  zone smallint not null check (zone in (1, 2, 3)),
  -- Hundredths of a cent.
  price_units bigint not null,
  -- UTC day whose limits it counts against.
  charged_day date not null,
  -- Null until the provider has answered; false where it refused.
  billable boolean,
  provider text,
  provider_message_id text,
  -- Set in a commit of its own right before the provider is asked: from there on it is never handed over again.
  handed_over_at timestamptz,
  carrier_price numeric,
  carrier_currency text,
  carrier_price_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (team_id, id)
) with (fillfactor = 60);
create index sms_messages_status on sms_messages (team_id, status, id);
create index sms_messages_sender on sms_messages (team_id, sender_id, id);
create index sms_messages_search on sms_messages using gin (team_id, to_number gin_trgm_ops, body gin_trgm_ops);
-- Providers tell what became of a message without naming its team.
create unique index sms_messages_id on sms_messages (id);
-- Without the provider's name: that is written with the mark of the hand-over, which so touches no index.
create index sms_messages_provider on sms_messages (provider_message_id) where provider_message_id is not null;

-- How far a message has come: a late or repeated receipt never moves it back. Of two endings that contradict each
-- other, that it arrived is the one that somebody has seen.
create function sms_status_rank(status text) returns integer language sql immutable parallel safe as $$
  select array_position(array['accepted', 'queued', 'sent', 'undelivered', 'failed', 'delivered'], status)
$$;

create table sms_events (
  team_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  type text not null,
  -- The provider's id of what it told, by which a repeat is known.
  provider_event_id text,
  data jsonb,
  created_at timestamptz not null,
  primary key (team_id, message_id, id),
  foreign key (team_id, message_id) references sms_messages on delete cascade
);
create unique index sms_events_provider on sms_events (team_id, message_id, provider_event_id)
  where provider_event_id is not null;

-- What a team used of its daily limits; a row of an earlier day counts nothing.
create table sms_usage (
  team_id uuid primary key references teams on delete cascade,
  day date not null,
  messages_today integer not null,
  -- Hundredths of a cent, of all messages that were not refused.
  spend_units_today bigint not null
) with (fillfactor = 50);

create table sms_opt_outs (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  phone_number text not null,
  reason text not null check (reason in ('keyword', 'manual')),
  created_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, phone_number)
);
-- When each number last wrote STOP or START, so that a repeated or late one changes nothing.
create table sms_keywords (
  team_id uuid not null references teams on delete cascade,
  phone_number text not null,
  written_at timestamptz not null,
  primary key (team_id, phone_number)
);

-- Messages with a keyword that were taken in, by the provider's id, so that a repeat is known where it tells no time.
create table sms_keyword_messages (
  id text primary key,
  received_at timestamptz not null
);
create index sms_keyword_messages_age on sms_keyword_messages (received_at);

create table inbox_sms (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  message_id uuid not null,
  from_sender text not null,
  to_number text not null,
  body text not null,
  created_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, message_id)
);
