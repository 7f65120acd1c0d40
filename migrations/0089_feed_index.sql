-- outside a transaction
create index concurrently email_events_feed on email_events (team_id, position) where position >= 0;
