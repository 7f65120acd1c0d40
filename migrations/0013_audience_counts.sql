-- Exact counts of segments and topics without counting rows, kept as those of emails are: folded counts plus the changes
-- not folded yet, both read in one snapshot. Changes are only ever inserted, so nobody waits for a counter.
create table segment_counts (
  team_id uuid not null,
  segment_id uuid not null,
  contacts bigint not null,
  unsubscribed bigint not null,
  primary key (team_id, segment_id),
  foreign key (team_id, segment_id) references segments on delete cascade
);
-- Changes of a segment that is gone stay until they are folded away: nobody reads them.
create table segment_count_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  segment_id uuid not null,
  contacts integer not null,
  unsubscribed integer not null
);
create index segment_count_changes_segment on segment_count_changes (team_id, segment_id);

-- `unsubscribed` follows from two tables. Whoever adds or removes a membership holds the contact `for share`, so that
-- the flag does not turn meanwhile: exactly one of the two transactions sees what the other did.
--
-- Statements with joins are executed as text: else the plan made for a first statement of one row would be kept, and be
-- the end of one with ten thousand.
create function count_added_to_segments() returns trigger language plpgsql as $$
begin
  execute '
    insert into segment_count_changes (team_id, segment_id, contacts, unsubscribed)
    select added.team_id, added.segment_id, count(*), count(*) filter (where contacts.unsubscribed)
    from added join contacts on contacts.team_id = added.team_id and contacts.id = added.contact_id
    group by 1, 2';
  return null;
end $$;
-- The segments that are themselves being deleted are left out: they may be large, and their counts go with them. A
-- contact that is being deleted is not found any more; its flag was counted before.
create function count_removed_from_segments() returns trigger language plpgsql as $$
begin
  execute '
    insert into segment_count_changes (team_id, segment_id, contacts, unsubscribed)
    select gone.team_id, gone.segment_id, -count(*), -count(*) filter (where contacts.unsubscribed)
    from gone join segments on segments.team_id = gone.team_id and segments.id = gone.segment_id
    left join contacts on contacts.team_id = gone.team_id and contacts.id = gone.contact_id
    group by 1, 2';
  return null;
end $$;
create function count_deleted_unsubscribed_contact() returns trigger language plpgsql as $$
begin
  insert into segment_count_changes (team_id, segment_id, contacts, unsubscribed)
    select team_id, segment_id, 0, -1 from segment_contacts where team_id = old.team_id and contact_id = old.id;
  return old;
end $$;
create function count_turned_contacts() returns trigger language plpgsql as $$
begin
  -- As good as every change of contacts.
  if not exists (select from gone where unsubscribed) and not exists (select from added where unsubscribed) then
    return null;
  end if;
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
create trigger count_added after insert on segment_contacts
  referencing new table as added for each statement execute function count_added_to_segments();
create trigger count_removed after delete on segment_contacts
  referencing old table as gone for each statement execute function count_removed_from_segments();
create trigger count_deleted_unsubscribed before delete on contacts
  for each row when (old.unsubscribed) execute function count_deleted_unsubscribed_contact();
create trigger count_turned after update on contacts
  referencing old table as gone new table as added for each statement execute function count_turned_contacts();

create table topic_counts (
  team_id uuid not null,
  topic_id uuid not null,
  subscribers bigint not null,
  primary key (team_id, topic_id),
  foreign key (team_id, topic_id) references topics on delete cascade
);
create table topic_count_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  topic_id uuid not null,
  subscribers integer not null
);
create index topic_count_changes_topic on topic_count_changes (team_id, topic_id);

create function count_added_subscriptions() returns trigger language plpgsql as $$
begin
  insert into topic_count_changes (team_id, topic_id, subscribers)
    select team_id, topic_id, count(*) from added where status = 'opt_in' group by 1, 2;
  return null;
end $$;
create function count_removed_subscriptions() returns trigger language plpgsql as $$
begin
  execute '
    insert into topic_count_changes (team_id, topic_id, subscribers)
    select gone.team_id, gone.topic_id, -count(*)
    from gone join topics on topics.team_id = gone.team_id and topics.id = gone.topic_id
    where gone.status = ''opt_in'' group by 1, 2';
  return null;
end $$;
create function count_changed_subscriptions() returns trigger language plpgsql as $$
begin
  insert into topic_count_changes (team_id, topic_id, subscribers)
    select team_id, topic_id, sum(change) from (
      select team_id, topic_id, -1 as change from gone where status = 'opt_in'
      union all
      select team_id, topic_id, 1 from added where status = 'opt_in'
    ) as changes group by 1, 2 having sum(change) <> 0;
  return null;
end $$;
create trigger count_added after insert on topic_subscriptions
  referencing new table as added for each statement execute function count_added_subscriptions();
create trigger count_removed after delete on topic_subscriptions
  referencing old table as gone for each statement execute function count_removed_subscriptions();
create trigger count_changed after update on topic_subscriptions
  referencing old table as gone new table as added for each statement execute function count_changed_subscriptions();
