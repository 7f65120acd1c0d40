-- True once an endpoint has accepted a delivery at its present URL. Endpoints from before count as confirmed: most have.
alter table webhooks add column confirmed boolean not null default true;
alter table webhooks alter column confirmed set default false;
