-- A domain's key can be replaced: the next key signs once its record is found under the other selector, and the record of
-- the key before it stays for mail that is still on its way.
alter table domains
  add column dkim_selector text not null default 'posthorn' check (dkim_selector in ('posthorn', 'posthorn2')),
  add column dkim_next_public_key text,
  add column dkim_next_private_key text,
  add column dkim_old_public_key text,
  add column dkim_old_until timestamptz,
  add check ((dkim_next_public_key is null) = (dkim_next_private_key is null)),
  add check ((dkim_old_public_key is null) = (dkim_old_until is null));
