-- Figures over time without counting rows, kept as the counts of lists are: totals by the hour plus the changes not folded yet,
-- both read in one snapshot. Changes are only ever inserted, so no two sends wait for each other. Rows that are deleted later
-- subtract nothing.
--
-- A scope is what a figure is about: the nil UUID for the whole team, or the id of a domain, a broadcast or a workflow, or the
-- first 16 bytes of the SHA-256 of a tag. A change names all of its scopes; folding adds it to each of them.

create table email_metrics (
  team_id uuid not null references teams on delete cascade,
  scope uuid not null,
  hour timestamptz not null,
  accepted bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  delayed bigint not null default 0,
  bounced bigint not null default 0,
  soft_bounced bigint not null default 0,
  complained bigint not null default 0,
  unsubscribed bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  unique_opened bigint not null default 0,
  unique_clicked bigint not null default 0,
  primary key (team_id, scope, hour)
);
create table email_metric_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  scopes uuid[] not null,
  hour timestamptz not null,
  accepted integer not null default 0,
  sent integer not null default 0,
  delivered integer not null default 0,
  delayed integer not null default 0,
  bounced integer not null default 0,
  soft_bounced integer not null default 0,
  complained integer not null default 0,
  unsubscribed integer not null default 0,
  opened integer not null default 0,
  clicked integer not null default 0,
  unique_opened integer not null default 0,
  unique_clicked integer not null default 0
);
create index email_metric_changes_team on email_metric_changes (team_id);

-- `cost_units` are hundredths of a cent.
create table sms_metrics (
  team_id uuid not null references teams on delete cascade,
  scope uuid not null,
  hour timestamptz not null,
  accepted bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  undelivered bigint not null default 0,
  failed bigint not null default 0,
  segments bigint not null default 0,
  cost_units bigint not null default 0,
  primary key (team_id, scope, hour)
);
create table sms_metric_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  scopes uuid[] not null,
  hour timestamptz not null,
  accepted integer not null default 0,
  sent integer not null default 0,
  delivered integer not null default 0,
  undelivered integer not null default 0,
  failed integer not null default 0,
  segments integer not null default 0,
  cost_units integer not null default 0
);
create index sms_metric_changes_team on sms_metric_changes (team_id);

create table whatsapp_metrics (
  team_id uuid not null references teams on delete cascade,
  scope uuid not null,
  hour timestamptz not null,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  read bigint not null default 0,
  failed bigint not null default 0,
  received bigint not null default 0,
  primary key (team_id, scope, hour)
);
create table whatsapp_metric_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  scopes uuid[] not null,
  hour timestamptz not null,
  sent integer not null default 0,
  delivered integer not null default 0,
  read integer not null default 0,
  failed integer not null default 0,
  received integer not null default 0
);
create index whatsapp_metric_changes_team on whatsapp_metric_changes (team_id);

create table workflow_metrics (
  team_id uuid not null references teams on delete cascade,
  scope uuid not null,
  hour timestamptz not null,
  started bigint not null default 0,
  completed bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  primary key (team_id, scope, hour)
);
create table workflow_metric_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  scopes uuid[] not null,
  hour timestamptz not null,
  started integer not null default 0,
  completed integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0
);
create index workflow_metric_changes_team on workflow_metric_changes (team_id);

-- `ms_0` to `ms_28` count attempts by their duration: up to 4 ms, and each up to 1.41 times the one before; the last, all above.
create table webhook_metrics (
  team_id uuid not null references teams on delete cascade,
  scope uuid not null,
  hour timestamptz not null,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  attempts bigint not null default 0,
  ms_0 bigint not null default 0,
  ms_1 bigint not null default 0,
  ms_2 bigint not null default 0,
  ms_3 bigint not null default 0,
  ms_4 bigint not null default 0,
  ms_5 bigint not null default 0,
  ms_6 bigint not null default 0,
  ms_7 bigint not null default 0,
  ms_8 bigint not null default 0,
  ms_9 bigint not null default 0,
  ms_10 bigint not null default 0,
  ms_11 bigint not null default 0,
  ms_12 bigint not null default 0,
  ms_13 bigint not null default 0,
  ms_14 bigint not null default 0,
  ms_15 bigint not null default 0,
  ms_16 bigint not null default 0,
  ms_17 bigint not null default 0,
  ms_18 bigint not null default 0,
  ms_19 bigint not null default 0,
  ms_20 bigint not null default 0,
  ms_21 bigint not null default 0,
  ms_22 bigint not null default 0,
  ms_23 bigint not null default 0,
  ms_24 bigint not null default 0,
  ms_25 bigint not null default 0,
  ms_26 bigint not null default 0,
  ms_27 bigint not null default 0,
  ms_28 bigint not null default 0,
  primary key (team_id, scope, hour)
);
create table webhook_metric_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  scopes uuid[] not null,
  hour timestamptz not null,
  delivered integer not null default 0,
  failed integer not null default 0,
  attempts integer not null default 0,
  ms_0 integer not null default 0,
  ms_1 integer not null default 0,
  ms_2 integer not null default 0,
  ms_3 integer not null default 0,
  ms_4 integer not null default 0,
  ms_5 integer not null default 0,
  ms_6 integer not null default 0,
  ms_7 integer not null default 0,
  ms_8 integer not null default 0,
  ms_9 integer not null default 0,
  ms_10 integer not null default 0,
  ms_11 integer not null default 0,
  ms_12 integer not null default 0,
  ms_13 integer not null default 0,
  ms_14 integer not null default 0,
  ms_15 integer not null default 0,
  ms_16 integer not null default 0,
  ms_17 integer not null default 0,
  ms_18 integer not null default 0,
  ms_19 integer not null default 0,
  ms_20 integer not null default 0,
  ms_21 integer not null default 0,
  ms_22 integer not null default 0,
  ms_23 integer not null default 0,
  ms_24 integer not null default 0,
  ms_25 integer not null default 0,
  ms_26 integer not null default 0,
  ms_27 integer not null default 0,
  ms_28 integer not null default 0
);
create index webhook_metric_changes_team on webhook_metric_changes (team_id);

-- `seen` has a bit for each kind of fact that a message has had, so that the first of each kind is known whatever comes together
-- or again. Bits are only ever added. Null: the message is not counted, as those from before this migration. `counted_at` is the
-- time of the newest fact; only counted facts write it.
alter table emails
  add column seen smallint,
  add column opens integer not null default 0,
  add column clicks integer not null default 0,
  add column counted_at timestamptz,
  -- Scopes in addition to the team and the domain.
  add column scopes uuid[];
alter table emails alter column seen set default 0;

create or replace function count_inserted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change)
    select team_id, domain_id, status, from_address, count(*) from added group by 1, 2, 3, 4;
  insert into email_metric_changes (team_id, scopes, hour, accepted)
    select team_id, array['00000000-0000-0000-0000-000000000000', domain_id] || scopes, date_trunc('hour', created_at, 'UTC'), count(*)
    from added where seen is not null group by team_id, domain_id, scopes, 3;
  return null;
end $$;

-- An email that is deleted while it is scheduled was withdrawn: it was never sent, and counts as never accepted.
create or replace function count_deleted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change)
    select team_id, domain_id, status, from_address, -count(*) from gone group by 1, 2, 3, 4;
  insert into email_metric_changes (team_id, scopes, hour, accepted)
    select team_id, array['00000000-0000-0000-0000-000000000000', domain_id] || scopes, date_trunc('hour', created_at, 'UTC'), -count(*)
    from gone where seen is not null and status = 'scheduled' group by team_id, domain_id, scopes, 3;
  return null;
end $$;

-- All emails that a statement gives new facts have the same `counted_at`.
create or replace function count_updated_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change)
    select team_id, domain_id, status, from_address, sum(change) from (
      select team_id, domain_id, status, from_address, -1 as change from gone
      union all
      select team_id, domain_id, status, from_address, 1 from added
    ) as changes group by 1, 2, 3, 4 having sum(change) <> 0;
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

alter table sms_messages add column seen smallint, add column counted_at timestamptz;
alter table sms_messages alter column seen set default 0;

create function count_sms_metrics() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into sms_metric_changes (team_id, scopes, hour, accepted, segments)
      select team_id, array['00000000-0000-0000-0000-000000000000'::uuid], date_trunc('hour', created_at, 'UTC'), count(*),
        sum(segments)
      from added where seen is not null group by 1, 3;
  elsif tg_op = 'DELETE' then
    -- A message that is deleted before its provider answered was withdrawn.
    insert into sms_metric_changes (team_id, scopes, hour, accepted, segments)
      select team_id, array['00000000-0000-0000-0000-000000000000'::uuid], date_trunc('hour', created_at, 'UTC'), -count(*),
        -sum(segments)
      from gone where seen is not null and billable is null group by 1, 3;
  else
    insert into sms_metric_changes (team_id, scopes, hour, sent, delivered, undelivered, failed, cost_units)
      select team_id, array['00000000-0000-0000-0000-000000000000'::uuid],
        date_trunc('hour', coalesce(max(counted_at), now()), 'UTC'),
        sum(sign * (seen >> 0 & 1)), sum(sign * (seen >> 1 & 1)), sum(sign * (seen >> 2 & 1)), sum(sign * (seen >> 3 & 1)),
        sum(sign * cost)
      from (
        select team_id, created_at, counted_at, seen, case when billable then price_units else 0 end as cost, 1 as sign
        from added where seen is not null
        union all
        select team_id, created_at, counted_at, seen, case when billable then price_units else 0 end, -1
        from gone where seen is not null
      ) as states
      group by team_id having sum(sign * seen) <> 0 or sum(sign * cost) <> 0;
  end if;
  return null;
end $$;
create trigger count_metrics_insert after insert on sms_messages
  referencing new table as added for each statement execute function count_sms_metrics();
create trigger count_metrics_delete after delete on sms_messages
  referencing old table as gone for each statement execute function count_sms_metrics();
create trigger count_metrics_update after update on sms_messages
  referencing old table as gone new table as added for each statement execute function count_sms_metrics();

alter table whatsapp_messages add column seen smallint, add column counted_at timestamptz;
alter table whatsapp_messages alter column seen set default 0;

create function count_whatsapp_metrics() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into whatsapp_metric_changes (team_id, scopes, hour, received)
      select team_id, array['00000000-0000-0000-0000-000000000000'::uuid], date_trunc('hour', created_at, 'UTC'), count(*)
      from added where seen is not null and direction = 'inbound' group by 1, 3;
  else
    insert into whatsapp_metric_changes (team_id, scopes, hour, sent, delivered, read, failed)
      select team_id, array['00000000-0000-0000-0000-000000000000'::uuid], date_trunc('hour', coalesce(max(counted_at), now()), 'UTC'),
        sum(sign * (seen >> 0 & 1)), sum(sign * (seen >> 1 & 1)), sum(sign * (seen >> 2 & 1)), sum(sign * (seen >> 3 & 1))
      from (
        select team_id, counted_at, seen, 1 as sign from added where seen is not null
        union all
        select team_id, counted_at, seen, -1 from gone where seen is not null
      ) as states
      group by team_id having sum(sign * seen) <> 0;
  end if;
  return null;
end $$;
create trigger count_metrics_insert after insert on whatsapp_messages
  referencing new table as added for each statement execute function count_whatsapp_metrics();
create trigger count_metrics_update after update on whatsapp_messages
  referencing old table as gone new table as added for each statement execute function count_whatsapp_metrics();

-- An execution ends once, so its end is the row that has one now and had none before.
create function count_workflow_metrics() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into workflow_metric_changes (team_id, scopes, hour, started, failed)
      select team_id, array['00000000-0000-0000-0000-000000000000', workflow_id], date_trunc('hour', started_at, 'UTC'), count(*),
        count(*) filter (where status = 'failed')
      from added group by team_id, workflow_id, 3;
  else
    insert into workflow_metric_changes (team_id, scopes, hour, completed, failed, cancelled)
      select team_id, array['00000000-0000-0000-0000-000000000000', workflow_id], date_trunc('hour', coalesce(max(completed_at), now()), 'UTC'),
        sum(sign * (status = 'completed')::int), sum(sign * (status = 'failed')::int), sum(sign * (status = 'cancelled')::int)
      from (
        select team_id, workflow_id, status, completed_at, 1 as sign from added
        union all
        select team_id, workflow_id, status, completed_at, -1 from gone
      ) as states
      where status in ('completed', 'failed', 'cancelled')
      group by team_id, workflow_id having sum(sign) > 0;
  end if;
  return null;
end $$;
create trigger count_metrics_insert after insert on workflow_executions
  referencing new table as added for each statement execute function count_workflow_metrics();
create trigger count_metrics_update after update on workflow_executions
  referencing old table as gone new table as added for each statement execute function count_workflow_metrics();

-- `attempt_ms` is the duration of the last attempt; `counted_at` the time of its record, or of the end without another attempt.
alter table webhook_deliveries add column attempt_ms integer, add column counted_at timestamptz;

-- By delivery first, to tell which were attempted in this statement. No join, whose plan would depend on the number of rows.
create function count_webhook_metrics() returns trigger language plpgsql as $$
begin
  insert into webhook_metric_changes (team_id, scopes, hour, delivered, failed, attempts,
    ms_0, ms_1, ms_2, ms_3, ms_4, ms_5, ms_6, ms_7, ms_8, ms_9, ms_10, ms_11, ms_12, ms_13, ms_14, ms_15, ms_16, ms_17, ms_18,
    ms_19, ms_20, ms_21, ms_22, ms_23, ms_24, ms_25, ms_26, ms_27, ms_28)
  select team_id, array['00000000-0000-0000-0000-000000000000'::uuid], date_trunc('hour', coalesce(max(at), now()), 'UTC'),
    sum(delivered), sum(failed), sum(attempts),
    sum(attempts * (step = 0)::int), sum(attempts * (step = 1)::int), sum(attempts * (step = 2)::int),
    sum(attempts * (step = 3)::int), sum(attempts * (step = 4)::int), sum(attempts * (step = 5)::int),
    sum(attempts * (step = 6)::int), sum(attempts * (step = 7)::int), sum(attempts * (step = 8)::int),
    sum(attempts * (step = 9)::int), sum(attempts * (step = 10)::int), sum(attempts * (step = 11)::int),
    sum(attempts * (step = 12)::int), sum(attempts * (step = 13)::int), sum(attempts * (step = 14)::int),
    sum(attempts * (step = 15)::int), sum(attempts * (step = 16)::int), sum(attempts * (step = 17)::int),
    sum(attempts * (step = 18)::int), sum(attempts * (step = 19)::int), sum(attempts * (step = 20)::int),
    sum(attempts * (step = 21)::int), sum(attempts * (step = 22)::int), sum(attempts * (step = 23)::int),
    sum(attempts * (step = 24)::int), sum(attempts * (step = 25)::int), sum(attempts * (step = 26)::int),
    sum(attempts * (step = 27)::int), sum(attempts * (step = 28)::int)
  from (
    select team_id, max(counted_at) as at, sum(sign * (status = 'delivered')::int) as delivered,
      sum(sign * (status = 'failed')::int) as failed, sum(sign * attempts) as attempts,
      least(28, greatest(0, ceil(2 * ln(greatest(1, max(attempt_ms) filter (where sign = 1))::float8) / ln(2::float8)) - 4)) as step
    from (
      select team_id, webhook_id, id, status, attempts, attempt_ms, counted_at, 1 as sign from added
      union all
      select team_id, webhook_id, id, status, attempts, null, null, -1 from gone
    ) as states
    group by team_id, webhook_id, id
  ) as deliveries
  group by team_id having sum(delivered) <> 0 or sum(failed) <> 0 or sum(attempts) <> 0;
  return null;
end $$;
create trigger count_metrics_update after update on webhook_deliveries
  referencing old table as gone new table as added for each statement execute function count_webhook_metrics();
