-- The hosts that a credential may be sent to; null: any.
alter table credentials add column allowed_hosts text[];
