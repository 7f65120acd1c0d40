-- Schedules are claimed team by team, so that a thousand of one team do not delay another's.
create index jobs_workflows_schedule on jobs (team_id, run_at) where kind = 'workflows.schedule';

-- The bounds of a team beside the counts of its day: one row a team, which each accepted email updates anyway.
-- `scheduled_emails` wait for their time and are not counted as sent. `stored_bytes` is the content that the team stores,
-- but for the changes below.
alter table email_usage
  add column scheduled_emails integer not null default 0,
  add column stored_bytes bigint not null default 0;

-- Changes of `stored_bytes` that a job has not added to it yet. Accepted emails are counted in their own transaction and
-- have no row here; everything else, and emails that are deleted, is noted by triggers, so that nothing waits for a counter.
create table stored_byte_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  change bigint not null
);
create index stored_byte_changes_team on stored_byte_changes (team_id);

-- The argument is the size of a row, an expression over its columns.
create function note_stored_bytes() returns trigger language plpgsql as $$
declare
  changes text := case tg_op
    when 'INSERT' then 'select team_id, %1$s as change from added'
    when 'DELETE' then 'select team_id, -(%1$s) as change from gone'
    else 'select team_id, %1$s as change from added union all select team_id, -(%1$s) from gone'
  end;
begin
  execute format(
    'insert into stored_byte_changes (team_id, change)
     select team_id, sum(change) from (' || changes || ') as changes group by team_id having sum(change) <> 0',
    tg_argv[0]
  );
  return null;
end $$;

create function watch_stored_bytes(watched regclass, size text, operations text[]) returns void language plpgsql as $$
declare
  operation text;
begin
  foreach operation in array operations loop
    execute format(
      'create trigger note_stored_bytes_%1$s after %1$s on %2$s referencing %3$s
       for each statement execute function note_stored_bytes(%4$L)',
      operation, watched,
      case operation
        when 'insert' then 'new table as added'
        when 'delete' then 'old table as gone'
        else 'old table as gone new table as added'
      end,
      size
    );
  end loop;
end $$;

create temporary table sizes (name text, size text, operations text[]) on commit drop;
insert into sizes values
  ('email_contents', 'coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)', '{delete}'),
  ('email_attachments', 'octet_length(content)', '{delete}'),
  ('email_sources', 'octet_length(raw)', '{delete}'),
  ('email_letters', 'coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)', '{insert,delete}'),
  ('inbox_messages', 'octet_length(raw)', '{insert,delete}'),
  ('templates', 'coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)', '{insert,update,delete}'),
  ('whatsapp_templates', 'octet_length(body) + coalesce(octet_length(components::text), 0)', '{insert,update,delete}'),
  ('broadcasts', 'coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)', '{insert,update,delete}'),
  ('contacts', 'octet_length(search_text) + octet_length(properties::text)', '{insert,update,delete}');
select watch_stored_bytes(name::regclass, size, operations) from sizes;
drop function watch_stored_bytes;

-- Counts the rows that exist already.
insert into email_usage (team_id, day, emails_today, bucket_tokens, bucket_at)
  select id, '1970-01-01', 0, 0, '1970-01-01' from teams
  on conflict do nothing;
update email_usage set scheduled_emails = waiting.count
from (
  select team_id, count(*) from emails
  where status = 'scheduled' and scheduled_at is not null and not dispatching and sent_at is null
  group by team_id
) as waiting
where email_usage.team_id = waiting.team_id;
do $$
declare
  part record;
begin
  for part in select name, size from sizes loop
    execute format(
      'insert into stored_byte_changes (team_id, change)
       select team_id, sum(%s) from %I group by team_id having sum(%1$s) <> 0',
      part.size, part.name
    );
  end loop;
end $$;
