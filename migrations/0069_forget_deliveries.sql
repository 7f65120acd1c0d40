-- The removal of a deleted webhook's deliveries goes on when its team is deleted too, so it is no longer a job of the team.
update jobs set kind = 'webhooks.forget-deliveries', team_id = null, payload = jsonb_build_object('teamId', team_id)
where kind = 'webhooks.forget';
