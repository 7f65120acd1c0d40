-- Tags of emails, by which lists are filtered. A tag is the first 16 bytes of SHA-256 over `name:value`, in base64url: names and
-- values may be longer than what an index holds.
create table email_tags (
  team_id uuid not null,
  email_id uuid not null,
  tag text not null,
  primary key (team_id, email_id, tag),
  foreign key (team_id, email_id) references emails on delete cascade
);
create index email_tags_newest on email_tags (team_id, tag, email_id);

-- About a second for each hundred thousand tags that emails have.
insert into email_tags (team_id, email_id, tag)
select distinct team_id, id,
  rtrim(translate(encode(substring(sha256(convert_to(key || ':' || coalesce(value, 'null'), 'UTF8')) for 16), 'base64'), '+/', '-_'), '=')
from emails cross join jsonb_each_text(tags)
where tags is not null;

-- The text that a search of the inbox reads. Declared immutable, although array_to_string is not: for texts it depends on nothing
-- but its arguments.
create function inbox_search_text(subject text, from_address text, to_addresses text[]) returns text
  language sql immutable parallel safe as $$
  select subject || E'\n' || from_address || E'\n' || array_to_string(to_addresses, E'\n')
$$;
create index inbox_messages_search on inbox_messages
  using gin (team_id, inbox_search_text(subject, from_address, to_addresses) gin_trgm_ops);
