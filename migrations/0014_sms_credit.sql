-- What a team's SMS credit is worth now, in hundredths of a cent: always the sum of its entries in sms_ledger. One row a
-- team that ever had credit or sent an SMS; its lock is what puts the entries of a team in one order.
create table sms_credit (
  team_id uuid primary key references teams on delete cascade,
  balance_units bigint not null default 0 check (balance_units >= 0),
  -- Counts the times it was set: refilled, granted or zeroed. A message that is reversed gives its credit back only in the
  -- term in which it was debited.
  term integer not null default 0,
  -- The month under way of a plan that an operator set; null for teams without one, and where a subscription tells its own.
  period_start timestamptz,
  period_end timestamptz,
  -- Its months begin on this day, or the last of a shorter month.
  period_anchor timestamptz,
  check ((period_start is null) = (period_end is null) and (period_start is null) = (period_anchor is null))
) with (fillfactor = 50);
create index sms_credit_due on sms_credit (period_end) where period_end is not null;

-- Append-only. `id` is given under the lock of the team's credit, so that it orders the entries of a team as they happened.
-- No foreign keys: the book outlives what it speaks of, and checks would be paid by every message.
create table sms_ledger (
  team_id uuid not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('debit', 'overage', 'reversal', 'refill', 'grant', 'zero')),
  credit_units bigint not null,
  overage_units bigint not null,
  message_id uuid,
  zone smallint,
  term integer not null,
  -- Why the credit was set: the payment event, the period.
  cause text,
  created_at timestamptz not null,
  primary key (team_id, id),
  check (case kind
    when 'debit' then credit_units < 0 and overage_units = 0
    when 'overage' then credit_units = 0 and overage_units > 0
    when 'reversal' then credit_units >= 0 and overage_units <= 0
    else overage_units = 0 end),
  check ((kind in ('debit', 'overage', 'reversal')) = (message_id is not null and zone is not null))
);
-- A message is charged once and reversed once, and nothing refills twice.
create unique index sms_ledger_charge on sms_ledger (team_id, message_id) where kind in ('debit', 'overage');
create unique index sms_ledger_reversal on sms_ledger (team_id, message_id) where kind = 'reversal';
create unique index sms_ledger_refill on sms_ledger (team_id, cause) where kind = 'refill';

-- Overage that the payment provider is to be told of: a row once it is certain, that is after the SMS provider has
-- answered. The queue of the team's job, and afterwards the proof. Its foreign key locks the team's credit (`for key
-- share`), which is how who gives the job up knows that nobody is adding to it.
create table sms_usage_reports (
  team_id uuid not null references sms_credit on delete cascade,
  message_id uuid not null,
  zone smallint not null,
  sent_at timestamptz not null,
  attempts integer not null default 0,
  -- When the next attempt is due; null once it is reported.
  due_at timestamptz,
  reported_at timestamptz,
  primary key (team_id, message_id),
  check ((due_at is null) = (reported_at is not null))
);
create index sms_usage_reports_due on sms_usage_reports (team_id, due_at) where due_at is not null;

-- Teams that are on a paid plan already begin a month now.
insert into sms_credit (team_id, balance_units, term, period_start, period_end, period_anchor)
select id, case plan when 'pro' then 20000 when 'scale' then 200000 else 800000 end, 1, today.at,
  (today.at at time zone 'UTC' + interval '1 month') at time zone 'UTC', today.at
from teams, date_trunc('milliseconds', now()) as today (at) where plan <> 'free';
insert into sms_ledger (team_id, kind, credit_units, overage_units, term, cause, created_at)
select team_id, 'grant', balance_units, 0, term, 'plan at the upgrade', period_start from sms_credit;
