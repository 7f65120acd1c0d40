-- How long a team keeps what it sent and received. `choices` holds the team's own numbers of days by name, and null for what is
-- kept for ever; a name that is missing has the server's default.
create table team_retention (
  team_id uuid primary key references teams on delete cascade,
  choices jsonb not null default '{}',
  -- SMS up to this id may have been removed, so their entries in the ledger have no message.
  sms_removed_through uuid
);

-- Counts of searches are valid until emails are removed.
alter table email_search_epochs add column removals bigint not null default 0;
alter table email_search_counts add column removals bigint not null default 0;

-- A deleted email deletes its contents by a cascade for each row, which mostly finds nothing: their rows are deleted before it.
create or replace function note_stored_bytes() returns trigger language plpgsql as $$
declare
  changes text := case tg_op
    when 'INSERT' then 'select team_id, %1$s as change from added'
    when 'DELETE' then 'select team_id, -(%1$s) as change from gone'
    else 'select team_id, %1$s as change from added union all select team_id, -(%1$s) from gone'
  end;
begin
  if tg_op = 'DELETE' then
    if not exists (select from gone) then
      return null;
    end if;
  end if;
  execute format(
    'insert into stored_byte_changes (team_id, change)
     select team_id, sum(change) from (' || changes || ') as changes group by team_id having sum(change) <> 0',
    tg_argv[0]
  );
  return null;
end $$;
