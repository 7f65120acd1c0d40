-- Which team may use a number of the operator's account at a provider. One row a number, of whatever team; it is also the
-- record of who claimed it and when.
create table number_assignments (
  channel text not null check (channel in ('sms', 'whatsapp')),
  -- SMS: E.164 or a short code. WhatsApp: the phoneNumberId at Meta.
  number text not null,
  team_id uuid not null references teams on delete cascade,
  made_by text not null check (made_by in ('operator', 'claim')),
  created_at timestamptz not null,
  primary key (channel, number)
);
create index number_assignments_team on number_assignments (team_id);

-- A number in use goes to the team that uses it. One that several teams use, as they may with `capture`, goes to none yet.
insert into number_assignments (channel, number, team_id, made_by, created_at)
select 'sms', sender_id, (array_agg(team_id))[1], 'claim', now()
from sms_senders where status = 'active' and sender_type <> 'alphanumeric_id'
group by sender_id having count(distinct team_id) = 1;

insert into number_assignments (channel, number, team_id, made_by, created_at)
select 'whatsapp', phone_number_id, team_id, 'claim', now()
from whatsapp_senders where status = 'active' and phone_number_id is not null;
