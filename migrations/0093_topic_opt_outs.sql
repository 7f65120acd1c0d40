-- Exact counts of the contacts that opted out of a topic, kept as those that opted in are. All other contacts of the team are opted in to
-- a topic whose default is that. Apart from the counts of subscribers, because processes of the former version fold those.
create table topic_opt_out_counts (
  team_id uuid not null,
  topic_id uuid not null,
  contacts bigint not null,
  primary key (team_id, topic_id),
  foreign key (team_id, topic_id) references topics on delete cascade
);
create table topic_opt_out_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  topic_id uuid not null,
  contacts integer not null
);
create index topic_opt_out_changes_topic on topic_opt_out_changes (team_id, topic_id);

create or replace function count_added_subscriptions() returns trigger language plpgsql as $$
begin
  insert into topic_count_changes (team_id, topic_id, subscribers)
    select team_id, topic_id, count(*) from added where status = 'opt_in' group by 1, 2;
  insert into topic_opt_out_changes (team_id, topic_id, contacts)
    select team_id, topic_id, count(*) from added where status = 'opt_out' group by 1, 2;
  return null;
end $$;
create or replace function count_removed_subscriptions() returns trigger language plpgsql as $$
begin
  execute '
    insert into topic_count_changes (team_id, topic_id, subscribers)
    select gone.team_id, gone.topic_id, -count(*)
    from gone join topics on topics.team_id = gone.team_id and topics.id = gone.topic_id
    where gone.status = ''opt_in'' group by 1, 2';
  execute '
    insert into topic_opt_out_changes (team_id, topic_id, contacts)
    select gone.team_id, gone.topic_id, -count(*)
    from gone join topics on topics.team_id = gone.team_id and topics.id = gone.topic_id
    where gone.status = ''opt_out'' group by 1, 2';
  return null;
end $$;
create or replace function count_changed_subscriptions() returns trigger language plpgsql as $$
begin
  insert into topic_count_changes (team_id, topic_id, subscribers)
    select team_id, topic_id, sum(change) from (
      select team_id, topic_id, -1 as change from gone where status = 'opt_in'
      union all
      select team_id, topic_id, 1 from added where status = 'opt_in'
    ) as changes group by 1, 2 having sum(change) <> 0;
  insert into topic_opt_out_changes (team_id, topic_id, contacts)
    select team_id, topic_id, sum(change) from (
      select team_id, topic_id, -1 as change from gone where status = 'opt_out'
      union all
      select team_id, topic_id, 1 from added where status = 'opt_out'
    ) as changes group by 1, 2 having sum(change) <> 0;
  return null;
end $$;

-- Holds back writers until this is committed, so that no record is missed.
lock table topic_subscriptions in share row exclusive mode;
insert into topic_opt_out_counts (team_id, topic_id, contacts)
  select topics.team_id, topics.id, count(*) from topic_subscriptions
  join topics on topics.team_id = topic_subscriptions.team_id and topics.id = topic_id
  where status = 'opt_out' group by 1, 2;
