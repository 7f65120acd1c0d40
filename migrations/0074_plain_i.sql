-- Searches compare texts in lower case. In a database with a Turkish or Azerbaijani locale the small form of I is a letter of its own,
-- so that `wifi` would not find `WIFI`. There plain_i() writes each form of the letter as i before texts are compared, and the
-- indexes of searches hold it. Elsewhere it returns the text: the planner leaves it out, and the indexes stay as they are.
do $$
begin
  if lower('I') = 'i' then
    create function plain_i(value text) returns text language sql immutable parallel safe return value;
    return;
  end if;
  create function plain_i(value text) returns text language sql immutable parallel safe return translate(value, 'Iıİ', 'iii');

  create or replace function email_recipients(to_addresses text[], cc_addresses text[], bcc_addresses text[]) returns text[]
    language sql immutable parallel safe as $body$
    select array(
      select lower(translate(coalesce(substring(address from '<([^<>]*)>\s*$'), address), 'Iıİ', 'iii'))
      from unnest(to_addresses || coalesce(cc_addresses, '{}') || coalesce(bcc_addresses, '{}')) as recipient (address)
    )
  $body$;
  reindex index emails_recipients;

  -- About a minute for each million rows, in which others wait to write.
  drop index emails_search, contacts_search, suppressions_search, sms_messages_search, inbox_messages_search;
  create index emails_search on emails using gin (team_id, plain_i(subject) gin_trgm_ops);
  create index contacts_search on contacts using gin (team_id, plain_i(search_text) gin_trgm_ops);
  create index suppressions_search on suppressions using gin (team_id, plain_i(email) gin_trgm_ops);
  create index sms_messages_search on sms_messages using gin (team_id, plain_i(to_number) gin_trgm_ops, plain_i(body) gin_trgm_ops);
  create index inbox_messages_search on inbox_messages
    using gin (team_id, plain_i(inbox_search_text(subject, from_address, to_addresses)) gin_trgm_ops);
  delete from email_search_counts;
end
$$;
