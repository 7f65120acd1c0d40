-- outside a transaction
-- Lets workers take the jobs of these kinds from one team after the other. Seconds for each million waiting jobs.
create index concurrently jobs_fair on jobs (kind, team_id, run_at)
where kind in ('broadcasts.dispatch', 'domains.check', 'sms.find-price', 'webhooks.replay-failed');
