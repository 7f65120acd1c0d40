-- When the account's address was proven to belong to the person. Accounts that exist already count as unproven; one that
-- a provider made is proven at the next sign-in through that provider, if the provider vouches for the address.
alter table users add column email_verified_at timestamptz;

-- Links that stand for a person once: only the hash of the token is kept, and the row goes with its use.
create table account_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('password_reset', 'email_verification')),
  -- A link that was mailed proves that its reader has the mailbox; one of an operator that the operator knows the person.
  issued_by text not null check (issued_by in ('operator', 'mail')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_tokens_user on account_tokens (user_id, purpose);
create index account_tokens_expiry on account_tokens (expires_at);

-- Networks a person has signed in from, by a keyed hash: bad passwords from elsewhere do not lock these out.
create table known_networks (
  user_id uuid not null references users on delete cascade,
  network_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, network_hash)
);
create index known_networks_age on known_networks (last_used_at);

-- A person is named by the issuer and its subject. The name of a provider is the operator's word, and may come to mean another
-- issuer. Rows from before get their issuer at the first sign-in through the provider that has their name.
alter table user_identities drop constraint user_identities_pkey;
alter table user_identities add column issuer text;
create unique index user_identities_subject on user_identities (issuer, subject);
create index user_identities_unbound on user_identities (provider) where issuer is null;
