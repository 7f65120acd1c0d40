-- The time of a checkout is noted with its event. Checkouts that were paid late before this count from their payment on, as they did.
update payment_events set fact = jsonb_set(fact, '{startedAt}', fact -> 'at')
where fact ->> 'kind' = 'ordered'
  and subscription_id in (select id from payment_subscriptions where (state ->> 'isUnpaid')::boolean);
