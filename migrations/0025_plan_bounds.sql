-- Schedules are claimed team by team, so that a thousand of one team do not delay another's.
create index jobs_workflows_schedule on jobs (team_id, run_at) where kind = 'workflows.schedule';
