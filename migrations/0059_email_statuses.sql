-- Waits for the writers that still run the triggers as they were, but not for long, because others wait behind this.
set local lock_timeout = '2s';
lock table emails in share row exclusive mode;

-- Emails by status, apart from `emails`, because an update of an indexed column writes every index of its table anew. A change of
-- counts names the emails that came to a status and those that left it. When the change is folded, they are listed here. So all
-- emails of a status are in `email_statuses` or in a change that is not folded yet. Either may name an email that has left the
-- status or was deleted, so readers look at the email itself. No foreign key: its check costs as much as the row.
create table email_statuses (
  team_id uuid not null,
  status text not null,
  email_id uuid not null,
  primary key (team_id, status, email_id)
);
alter table email_count_changes add column came uuid[], add column went uuid[];

create or replace function count_inserted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change, came)
    select team_id, domain_id, status, from_address, count(*), array_agg(id) from added group by 1, 2, 3, 4;
  insert into email_metric_changes (team_id, scopes, hour, accepted)
    select team_id, array['00000000-0000-0000-0000-000000000000', domain_id] || scopes, date_trunc('hour', created_at, 'UTC'), count(*)
    from added where seen is not null group by team_id, domain_id, scopes, 3;
  return null;
end $$;

create or replace function count_deleted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change, went)
    select team_id, domain_id, status, from_address, -count(*), array_agg(id) from gone group by 1, 2, 3, 4;
  insert into email_metric_changes (team_id, scopes, hour, accepted)
    select team_id, array['00000000-0000-0000-0000-000000000000', domain_id] || scopes, date_trunc('hour', created_at, 'UTC'), -count(*)
    from gone where seen is not null and status = 'scheduled' group by team_id, domain_id, scopes, 3;
  return null;
end $$;

-- By email first, to leave out those whose status stays. No join, whose plan would depend on the number of rows.
create or replace function count_updated_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change, came, went)
    select team_id, domain_id, status, from_address, sum(change), array_agg(id) filter (where change > 0),
      array_agg(id) filter (where change < 0)
    from (
      select team_id, domain_id, status, from_address, id, sum(change) as change from (
        select team_id, domain_id, status, from_address, id, -1 as change from gone
        union all
        select team_id, domain_id, status, from_address, id, 1 from added
      ) as states group by 1, 2, 3, 4, 5 having sum(change) <> 0
    ) as moves group by 1, 2, 3, 4;
  insert into email_metric_changes (team_id, scopes, hour, sent, delivered, delayed, bounced, soft_bounced, complained,
    unsubscribed, opened, clicked, unique_opened, unique_clicked)
  select team_id, array['00000000-0000-0000-0000-000000000000', domain_id] || scopes, date_trunc('hour', coalesce(max(counted_at), now()), 'UTC'),
    sum(sign * (seen >> 0 & 1)), sum(sign * (seen >> 1 & 1)), sum(sign * (seen >> 2 & 1)), sum(sign * (seen >> 3 & 1)),
    sum(sign * (seen >> 4 & 1)), sum(sign * (seen >> 5 & 1)), sum(sign * (seen >> 6 & 1)), sum(sign * opens),
    sum(sign * clicks), sum(sign * (opens > 0)::int), sum(sign * (clicks > 0)::int)
  from (
    select team_id, domain_id, scopes, counted_at, seen, opens, clicks, 1 as sign from added where seen is not null
    union all
    select team_id, domain_id, scopes, counted_at, seen, opens, clicks, -1 from gone where seen is not null
  ) as states
  group by team_id, domain_id, scopes
  having sum(sign * seen) <> 0 or sum(sign * opens) <> 0 or sum(sign * clicks) <> 0;
  return null;
end $$;

-- A later change of the same emails is not folded yet and corrects what is listed here. A trigger, so that processes of the
-- version before this migration list emails too when they fold. Lookups by key, so that no plan reads a whole table.
create function list_folded_emails() returns trigger language plpgsql as $$
begin
  delete from email_statuses where ctid = any (array(
    select listed.ctid
    from folded cross join unnest(folded.went) as gone (id)
    left join lateral (
      select status from emails where team_id = folded.team_id and id = gone.id limit 1
    ) as email on true
    cross join lateral (
      select ctid from email_statuses where team_id = folded.team_id and status = folded.status and email_id = gone.id limit 1
    ) as listed
    where email.status is distinct from folded.status
  ));
  insert into email_statuses (team_id, status, email_id)
    select folded.team_id, folded.status, added.id
    from folded cross join unnest(folded.came) as added (id)
    cross join lateral (select status from emails where team_id = folded.team_id and id = added.id limit 1) as email
    where email.status = folded.status
    order by 1, 2, 3
    on conflict do nothing;
  return null;
end $$;
create trigger list_folded after delete on email_count_changes
  referencing old table as folded for each statement execute function list_folded_emails();
