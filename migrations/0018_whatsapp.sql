create table whatsapp_senders (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  phone_number text not null,
  display_name text,
  phone_number_id text,
  waba_id text,
  status text not null
    check (status in ('not_started', 'pending', 'active', 'failed', 'rejected', 'suspended')),
  rejection_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  constraint whatsapp_senders_phone_number unique (team_id, phone_number)
);
-- What comes in for a number is one sender's, of one team. Taken while it is being verified too, so that of two who race one
-- is told before the provider is asked.
create unique index whatsapp_senders_working_number on whatsapp_senders (phone_number_id)
  where status in ('pending', 'active');
create index whatsapp_senders_waba on whatsapp_senders (waba_id) where waba_id is not null;

create table whatsapp_templates (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  language text not null,
  category text not null check (category in ('marketing', 'utility', 'authentication')),
  body text not null,
  variable_count integer not null,
  components jsonb,
  status text not null check (status in ('draft', 'submitted', 'approved', 'rejected', 'disabled')),
  provider_ref text,
  -- The account that has it, or may have it, under its name and language; null as long as none was asked.
  waba_id text,
  rejection_reason text,
  -- Somebody is handing it in for review: until then it can be neither edited nor handed in again.
  submission_id uuid,
  submission_ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);
create unique index whatsapp_templates_name on whatsapp_templates (team_id, name, lower(language));
-- Teams may share an account, and there a name is one template's in each language: whoever hands it in first has it.
create unique index whatsapp_templates_account on whatsapp_templates (waba_id, name, lower(language))
  where waba_id is not null;

create table whatsapp_conversations (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  sender_id uuid not null,
  phone_number text not null,
  contact_name text,
  -- 24 hours after the customer's last message; null where there was none.
  window_expires_at timestamptz,
  last_message_at timestamptz not null,
  last_message_preview text not null,
  created_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, sender_id, phone_number),
  -- A conversation has a message always, so this is what keeps a used sender.
  constraint whatsapp_conversations_sender foreign key (team_id, sender_id) references whatsapp_senders
);
create index whatsapp_conversations_active on whatsapp_conversations (team_id, last_message_at desc, id desc);

create table whatsapp_messages (
  team_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  sender_id uuid not null,
  direction text not null check (direction in ('outbound', 'inbound')),
  from_number text not null,
  to_number text not null,
  -- History: the template may be gone.
  template_id uuid,
  template_name text,
  variables text[],
  body text not null,
  status text not null check (status in ('accepted', 'sent', 'delivered', 'read', 'failed', 'received')),
  provider_message_id text,
  error text,
  -- Written before the provider is called, by who calls it: where it is set nobody calls again.
  handed_over_at timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (team_id, id),
  foreign key (team_id, conversation_id) references whatsapp_conversations on delete cascade
) with (fillfactor = 85);
create index whatsapp_messages_conversation on whatsapp_messages (team_id, conversation_id, id);
-- A message that comes in again is known.
create unique index whatsapp_messages_received on whatsapp_messages (team_id, sender_id, provider_message_id)
  where direction = 'inbound';
create index whatsapp_messages_provider_id on whatsapp_messages (provider_message_id) where direction = 'outbound';
-- Under way, or of unknown outcome: found by our id, where the provider gives it back.
create index whatsapp_messages_without_provider_id on whatsapp_messages (id)
  where direction = 'outbound' and provider_message_id is null;

-- How far an outbound message has come: a late or repeated event never moves it back.
create function whatsapp_status_rank(status text) returns integer language sql immutable parallel safe as $$
  select array_position(array['accepted', 'sent', 'delivered', 'read', 'failed'], status)
$$;

-- Each kind once a message.
create table whatsapp_events (
  team_id uuid not null,
  message_id uuid not null,
  type text not null check (type in ('sent', 'delivered', 'read', 'failed', 'outcome_unknown')),
  id uuid not null,
  data jsonb,
  created_at timestamptz not null,
  primary key (team_id, message_id, type),
  foreign key (team_id, message_id) references whatsapp_messages on delete cascade
);

-- Statuses that came before we had recorded under which id the provider took the message. Kept for an hour.
create table whatsapp_early_statuses (
  provider_message_id text not null,
  status text not null,
  data jsonb,
  received_at timestamptz not null,
  primary key (provider_message_id, status)
);
create index whatsapp_early_statuses_age on whatsapp_early_statuses (received_at);

create table inbox_whatsapp (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  message_id uuid not null,
  from_number text not null,
  to_number text not null,
  body text not null,
  template_name text,
  created_at timestamptz not null,
  primary key (team_id, id),
  unique (team_id, message_id)
);
