-- Emails from before the migration before this one; its triggers list the others meanwhile, so nothing waits for this statement.
-- Less than a minute for each million emails. An email that moves on at this moment may stay listed in two statuses.
insert into email_statuses (team_id, status, email_id)
select team_id, status, id from emails order by 1, 2, 3
on conflict do nothing;
