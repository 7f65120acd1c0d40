-- The request log as pages: the requests of a team that one process answered in one second are one row with one index entry,
-- because a row with three index entries for each request cost nine per cent of a read. Each day of `second` is a partition,
-- attached empty and dropped as a whole. No foreign key, because a batch holds pages of many teams.
create table request_pages (
  team_id uuid not null,
  second timestamptz not null,
  -- The id of the page's first request.
  id uuid not null,
  -- A Bloom filter over the statuses, paths and keys of the page. Null: the page has to be read.
  marks bytea,
  -- An array for each request: id, method, path, status, duration in ms, API key, user, address, name of the refusal.
  entries json not null,
  primary key (team_id, second, id)
) partition by range (second);

-- pglz costs as much as the rest of the statement. lz4 costs nothing that can be measured, but not every build has it.
do $$
begin
  if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
    alter table request_pages alter column entries set compression lz4;
  else
    alter table request_pages alter column entries set storage external;
  end if;
end $$;

do $$
declare
  day date;
begin
  for day in select distinct (at at time zone 'UTC')::date from request_log loop
    execute format('create table %I (like request_pages including all)', 'request_pages_' || to_char(day, 'YYYY_MM_DD'));
    execute format('alter table request_pages attach partition %I for values from (%L) to (%L)',
      'request_pages_' || to_char(day, 'YYYY_MM_DD'), day || 'T00:00:00Z', day + 1 || 'T00:00:00Z');
  end loop;
end $$;

insert into request_pages (team_id, second, id, entries)
select team_id, date_trunc('second', at), (array_agg(id order by id))[1],
  json_agg(json_build_array(id, method, path, status, duration_ms, api_key_id, user_id, address, error_name) order by id)
from request_log group by team_id, date_trunc('second', at);

drop table request_log;
