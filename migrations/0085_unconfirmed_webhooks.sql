-- outside a transaction
create index concurrently webhooks_unconfirmed on webhooks (team_id) where not confirmed;
