-- Mail that comes back names an email and a host under its domain, and no team.
create index domains_name on domains (name);
