-- Exact counts of a team's contacts without counting rows, kept as those of segments are: folded counts plus the changes that are not
-- folded yet, both read in one snapshot.
create table contact_counts (
  team_id uuid primary key references teams on delete cascade,
  contacts bigint not null,
  unsubscribed bigint not null
);
create table contact_count_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  contacts integer not null,
  unsubscribed integer not null
);
create index contact_count_changes_team on contact_count_changes (team_id);

create function count_added_contacts() returns trigger language plpgsql as $$
begin
  insert into contact_count_changes (team_id, contacts, unsubscribed)
    select team_id, count(*), count(*) filter (where unsubscribed) from added group by 1;
  return null;
end $$;
create function count_deleted_contacts() returns trigger language plpgsql as $$
begin
  insert into contact_count_changes (team_id, contacts, unsubscribed)
    select team_id, -count(*), -count(*) filter (where unsubscribed) from gone group by 1;
  return null;
end $$;
create trigger count_added after insert on contacts
  referencing new table as added for each statement execute function count_added_contacts();
create trigger count_deleted after delete on contacts
  referencing old table as gone for each statement execute function count_deleted_contacts();

-- As before, and counts the team's contacts too.
create or replace function count_turned_contacts() returns trigger language plpgsql as $$
begin
  -- As good as every change of contacts.
  if not exists (select from gone where unsubscribed) and not exists (select from added where unsubscribed) then
    return null;
  end if;
  insert into contact_count_changes (team_id, contacts, unsubscribed)
    select team_id, 0, sum(change) from (
      select team_id, -1 as change from gone where unsubscribed
      union all
      select team_id, 1 from added where unsubscribed
    ) as changes group by 1 having sum(change) <> 0;
  execute '
    insert into segment_count_changes (team_id, segment_id, contacts, unsubscribed)
    select members.team_id, members.segment_id, 0, sum(turned.change) from (
      select team_id, id, sum(change) as change from (
        select team_id, id, -1 as change from gone where unsubscribed
        union all
        select team_id, id, 1 from added where unsubscribed
      ) as changes group by 1, 2 having sum(change) <> 0
    ) as turned join segment_contacts members on members.team_id = turned.team_id and members.contact_id = turned.id
    group by 1, 2';
  return null;
end $$;

-- The triggers above hold back writers until this is committed, so that no contact is missed.
insert into contact_counts (team_id, contacts, unsubscribed)
  select team_id, count(*), count(*) filter (where unsubscribed) from contacts group by 1;

-- Lists of contacts that are, or are not, unsubscribed.
create index contacts_by_unsubscribed on contacts (team_id, unsubscribed, id);
