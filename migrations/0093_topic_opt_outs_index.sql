-- outside a transaction
-- Finds the topics of a team that contacts without a record are opted in to.
create index concurrently resend_extras_opted_in on resend_extras (team_id, id)
  where noun = 'topic' and extra->>'default_subscription' = 'opt_in';
