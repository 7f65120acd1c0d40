-- The mode of a key. It never changes.
alter table api_keys add column mode text not null default 'live' check (mode in ('live', 'test'));

-- Each team has a second row, under which all that its test keys send is stored: messages, events, counts, usage, suppressions
-- and idempotency keys. So no query over the rows of a team can mix the modes. Configuration is stored under the live id only.
alter table teams add column test_of uuid unique references teams on delete cascade;

-- The id of the test team is the team's with version 8 in place of 7.
create function test_team_of(team_id uuid) returns uuid language sql immutable parallel safe as $$
  select overlay(team_id::text placing '8' from 15 for 1)::uuid
$$;

-- Messages of test keys count against no limit.
create function test_limits(overrides jsonb) returns jsonb language sql immutable parallel safe as $$
  select overrides || '{"dailyEmailLimit": 1000000000, "emailsPerSecond": 1000000, "scheduledEmails": 1000000,
    "dailySmsLimit": 1000000000, "dailySmsSpendLimit": 1000000000}'
$$;

create function keep_test_team() returns trigger language plpgsql as $$
begin
  insert into teams (id, name, plan, limit_overrides, created_at, test_of)
    values (test_team_of(new.id), new.name, new.plan, test_limits(new.limit_overrides), new.created_at, new.id)
    on conflict (id) do update set name = excluded.name, plan = excluded.plan, limit_overrides = excluded.limit_overrides;
  return null;
end $$;
create trigger keep_test_team after insert or update of name, plan, limit_overrides on teams
  for each row when (new.test_of is null) execute function keep_test_team();

insert into teams (id, name, plan, limit_overrides, created_at, test_of)
  select test_team_of(id), name, plan, test_limits(limit_overrides), created_at, id from teams;
