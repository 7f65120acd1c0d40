-- What clients of Resend's API give that no column of ours holds, such as the alias of a template. `id` is that of the
-- row it belongs to; `alias` names the row within its team and noun.
create table resend_extras (
  team_id uuid not null references teams (id) on delete cascade,
  id uuid not null,
  noun text not null,
  alias text,
  extra jsonb not null,
  created_at timestamptz not null,
  primary key (team_id, id)
);

create unique index resend_extras_alias on resend_extras (team_id, noun, alias) where alias is not null;

-- `standard`: the three webhook-* headers follow Standard Webhooks.
alter table webhooks add column signature_scheme text not null default 'posthorn'
  check (signature_scheme in ('posthorn', 'standard'));
-- The form of the payload. `resend`: that of Resend's webhooks.
alter table webhooks add column payload_format text not null default 'posthorn'
  check (payload_format in ('posthorn', 'resend'));
