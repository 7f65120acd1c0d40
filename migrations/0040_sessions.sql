-- What people see of their logins, when they last gave their password or a code in each, and the cookie of browser sessions.
alter table refresh_tokens
  add column user_agent text,
  add column address text,
  add column last_seen_at timestamptz not null default now(),
  add column confirmed_at timestamptz not null default now(),
  -- The hash of the cookie, for logins that became a browser session. Such a login has no refresh token.
  add column cookie_hash bytea;
update refresh_tokens set last_seen_at = rotated_at, confirmed_at = created_at;
create unique index refresh_tokens_cookie on refresh_tokens (cookie_hash) where cookie_hash is not null;

-- Links that open a browser session once.
alter table account_tokens drop constraint account_tokens_purpose_check;
alter table account_tokens add constraint account_tokens_purpose_check
  check (purpose in ('password_reset', 'email_verification', 'browser_start'));
