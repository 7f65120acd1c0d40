-- What the payment provider told of a subscription, whoever it belongs to: a row from its first event on. `state` is what
-- its events say together; it is made anew from `base` and the events kept in payment_events, so that their order of
-- arrival does not matter.
create table payment_subscriptions (
  id text primary key,
  -- The one that told of it: where another takes the payments now, it counts for nothing.
  provider text not null check (provider in ('sandbox', 'stripe')),
  -- Null until an event names the team.
  team_id uuid references teams on delete cascade,
  started_at timestamptz not null,
  -- Paid for, and of a plan that is known. The latest of these is the team's; those before it change nothing any more.
  counts boolean not null,
  state jsonb not null,
  -- What the events say that are kept no more, and the time of the last one of them.
  base jsonb,
  base_until timestamptz,
  updated_at timestamptz not null
);
create index payment_subscriptions_team on payment_subscriptions (team_id, provider, started_at desc, id desc) where counts;
create index payment_subscriptions_strange on payment_subscriptions (updated_at) where team_id is null;

-- Events by their id, so that each counts once; the last few hundred of a subscription.
create table payment_events (
  id text primary key,
  subscription_id text not null references payment_subscriptions on delete cascade,
  said_at timestamptz not null,
  fact jsonb not null
);
create index payment_events_subscription on payment_events (subscription_id, said_at);

-- A team as a payment provider knows it, and what of its subscription there is in force.
create table payment_accounts (
  team_id uuid not null references teams on delete cascade,
  provider text not null check (provider in ('sandbox', 'stripe')),
  customer_id text,
  -- Null where none lives.
  subscription_id text,
  plan text,
  -- The period the credit was last refilled for, and with which plan's: each is refilled once.
  refilled_for timestamptz,
  refilled_plan text,
  primary key (team_id, provider)
);

-- The sandbox plays the payment provider: its subscriptions, and the overage it was told of.
create table sandbox_subscriptions (
  team_id uuid not null references teams on delete cascade,
  id text not null unique,
  customer_id text not null,
  plan text not null,
  status text not null default 'active' check (status in ('active', 'canceled')),
  -- Its months begin on this day, or the last of a shorter month.
  anchor_at timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  cancel_at_period_end boolean not null default false,
  created_at timestamptz not null,
  primary key (team_id, id)
);
create index sandbox_subscriptions_due on sandbox_subscriptions (period_end) where status = 'active';

create table sandbox_usage (
  team_id uuid not null references teams on delete cascade,
  message_id uuid not null,
  event_name text not null,
  used_at timestamptz not null,
  primary key (team_id, message_id)
);
create index sandbox_usage_period on sandbox_usage (team_id, used_at);
