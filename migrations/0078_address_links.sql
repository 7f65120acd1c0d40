-- Links that give an account another address, with the address. Null for links of other purposes.
alter table account_tokens add column email text;
alter table account_tokens drop constraint account_tokens_purpose_check;
alter table account_tokens add constraint account_tokens_purpose_check
  check (purpose in ('password_reset', 'email_verification', 'browser_start', 'email_change'));
