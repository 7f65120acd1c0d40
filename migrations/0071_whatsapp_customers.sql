-- The number under which the provider knows the customer, in its shortest form, where it is not a form of phone_number.
alter table whatsapp_conversations add column known_as text;

-- What customers chose in WhatsApp about the marketing of a sender. The number is in its shortest form.
create table whatsapp_marketing_choices (
  team_id uuid not null,
  sender_id uuid not null,
  phone_number text not null,
  choice text not null check (choice in ('stop', 'resume')),
  made_at timestamptz not null,
  primary key (team_id, sender_id, phone_number),
  foreign key (team_id, sender_id) references whatsapp_senders on delete cascade
);
