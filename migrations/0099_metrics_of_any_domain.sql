-- An email of test mode may have a domain that the team does not own. It has the id of the whole team's figures in place of a
-- domain's, and counted in them twice.
create function metric_scopes(domain_id uuid, scopes uuid[]) returns uuid[] language sql immutable parallel safe as $$
  select case when domain_id = '00000000-0000-0000-0000-000000000000' then array[domain_id]
    else array['00000000-0000-0000-0000-000000000000', domain_id] end || scopes
$$;

create or replace function count_inserted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change, came)
    select team_id, domain_id, status, from_address, count(*), array_agg(id) from added group by 1, 2, 3, 4;
  insert into email_metric_changes (team_id, scopes, hour, accepted)
    select team_id, metric_scopes(domain_id, scopes), date_trunc('hour', created_at, 'UTC'), count(*)
    from added where seen is not null group by team_id, domain_id, scopes, 3;
  return null;
end $$;

create or replace function count_deleted_emails() returns trigger language plpgsql as $$
begin
  insert into email_count_changes (team_id, domain_id, status, from_address, change, went)
    select team_id, domain_id, status, from_address, -count(*), array_agg(id) from gone group by 1, 2, 3, 4;
  insert into email_metric_changes (team_id, scopes, hour, accepted)
    select team_id, metric_scopes(domain_id, scopes), date_trunc('hour', created_at, 'UTC'), -count(*)
    from gone where seen is not null and status = 'scheduled' group by team_id, domain_id, scopes, 3;
  return null;
end $$;

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
  select team_id, metric_scopes(domain_id, scopes), date_trunc('hour', coalesce(max(counted_at), now()), 'UTC'),
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

-- The plan Free has no SMS, and so no batches of SMS. Test mode has both.
create or replace function test_limits(overrides jsonb) returns jsonb language sql immutable parallel safe as $$
  select overrides || '{"dailyEmailLimit": 1000000000, "emailsPerSecond": 1000000, "scheduledEmails": 1000000,
    "dailySmsLimit": 1000000000, "smsBatchSize": 100, "dailySmsSpendLimit": 1000000000}'
$$;
update teams set limit_overrides = test_limits(limit_overrides) where test_of is not null;
