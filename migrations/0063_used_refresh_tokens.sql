-- The refresh tokens of a login that were replaced in the last ten seconds, oldest first, with the times of their replacement. Two
-- requests may present the same token within ten seconds, whatever replaced it and however often the login was refreshed since.
alter table refresh_tokens
  add column used_hashes bytea[] not null default '{}',
  add column used_at timestamptz[] not null default '{}';
update refresh_tokens set used_hashes = array[previous_hash], used_at = array[rotated_at]
  where previous_hash is not null and rotated_at > now() - interval '1 minute';
alter table refresh_tokens drop column previous_hash, drop column rotated_at;
