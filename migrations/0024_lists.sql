-- A key that is restricted to a domain lists that domain's broadcasts, newest first.
create index broadcasts_domain on broadcasts (team_id, domain_name, id);
