-- An API key may have an end, and says who made it. Keys from before have neither. The name is kept as it was when the key
-- was made, since the person or the key behind it may be gone by then.
alter table api_keys
  add column expires_at timestamptz,
  add column created_by_type text check (created_by_type in ('user', 'api_key', 'operator')),
  add column created_by_id uuid,
  add column created_by_name text;
