-- The bare addresses of an email's recipients in lower case, by which lists are filtered. Immutable: texts depend on nothing else.
create function email_recipients(to_addresses text[], cc_addresses text[], bcc_addresses text[]) returns text[]
  language sql immutable parallel safe as $$
  select array(
    select lower(coalesce(substring(address from '<([^<>]*)>\s*$'), address))
    from unnest(to_addresses || coalesce(cc_addresses, '{}') || coalesce(bcc_addresses, '{}')) as recipient (address)
  )
$$;

-- About ten seconds for each million emails.
create index emails_recipients on emails
  using gin (team_id, email_recipients(to_addresses, cc_addresses, bcc_addresses));

-- The emails of a broadcast, newest first.
create index broadcast_recipients_newest on broadcast_recipients (team_id, broadcast_id, email_id) where email_id is not null;

-- A test of a broadcast: its links and openings are not tracked, and it is in no figure (`seen` is null).
alter table emails add column untracked boolean not null default false;
