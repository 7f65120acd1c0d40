-- outside a transaction
-- The removal of a team finds its rows by indexes that begin with the team. The last commit, which deletes the team, reads both
-- tables too, since they refer to it.
create index concurrently refresh_tokens_team on refresh_tokens (team_id);
create index concurrently payment_subscriptions_of_team on payment_subscriptions (team_id);
