create table teams (
  id uuid primary key,
  name text not null,
  plan text not null default 'free' check (plan in ('free', 'pro', 'scale', 'enterprise')),
  limit_overrides jsonb not null default '{}',
  created_at timestamptz not null
);

create table users (
  id uuid primary key,
  email text not null,
  email_lower text not null unique,
  name text,
  password_hash text,
  totp_secret text,
  totp_pending_secret text,
  totp_last_step bigint,
  created_at timestamptz not null
);

create table team_members (
  team_id uuid not null references teams on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null,
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A sign-in through an OpenID provider: the provider's own subject, never its email address, is what names the person.
create table user_identities (
  provider text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (provider, subject)
);
create index user_identities_user on user_identities (user_id);

-- One row a login, through all the rotations of its refresh token. Only the live token's hash is kept, and that of the
-- one before it, which requests that raced with the rotation may still present for some seconds; any older one of the
-- family revokes it.
create table refresh_tokens (
  family_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  team_id uuid not null references teams on delete cascade,
  token_hash bytea not null,
  previous_hash bytea,
  rotated_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index refresh_tokens_user on refresh_tokens (user_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

-- Failed logins and codes, by account (hash of the address) and by client address.
create table login_failures (
  subject text not null,
  failed_at timestamptz not null
);
create index login_failures_subject on login_failures (subject, failed_at);
create index login_failures_age on login_failures (failed_at);

create table api_keys (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  key_hash bytea not null unique,
  key_prefix text not null,
  permission text not null check (permission in ('full_access', 'sending_access')),
  domain_id uuid,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (team_id, id)
);

-- Emails accepted in a UTC day and the bucket of emails per second; one row a team, one update a gathered commit.
create table email_usage (
  team_id uuid primary key references teams on delete cascade,
  day date not null,
  emails_today integer not null,
  bucket_tokens double precision not null,
  bucket_at timestamptz not null
);
