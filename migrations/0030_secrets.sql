-- Keys that stored values depend on and that cannot be made anew when APP_SECRET changes. Encrypted with APP_SECRET, so they
-- also tell at each start whether it is the right one.
create table stored_keys (
  id uuid primary key,
  name text not null unique,
  key text not null,
  created_at timestamptz not null
);

-- After a rotation deliveries are signed with both secrets until then.
alter table webhooks
  add column previous_signing_secret text,
  add column previous_secret_until timestamptz,
  add check ((previous_signing_secret is null) = (previous_secret_until is null));
