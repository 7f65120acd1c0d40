-- Lets workers take privacy requests from one team after the other.
create index jobs_privacy_run on jobs (team_id, run_at) where kind = 'privacy.run';
