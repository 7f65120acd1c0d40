-- When a webhook last took a delivery (to the hour), was made, or was switched on: one that has failed for days since then is
-- switched off.
alter table webhooks add column healthy_at timestamptz not null default now();
