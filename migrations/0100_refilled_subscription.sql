-- The subscription whose period `refilled_for` is: another one can be in force by its status before it turns out to be unpaid. That
-- of an existing account is the latest one that was paid.
alter table payment_accounts add column refilled_subscription text;
update payment_accounts as account set refilled_subscription = (
  select id from payment_subscriptions as paid
  where paid.team_id = account.team_id and paid.provider = account.provider and state -> 'refill' ->> 'start' is not null
  order by started_at desc, id desc limit 1
) where refilled_for is not null;
