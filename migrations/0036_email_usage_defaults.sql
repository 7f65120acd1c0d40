-- A team's usage before its first email, so that a total can be added without naming the other columns.
alter table email_usage
  alter column day set default '1970-01-01',
  alter column emails_today set default 0,
  alter column bucket_tokens set default 0,
  alter column bucket_at set default '1970-01-01';
