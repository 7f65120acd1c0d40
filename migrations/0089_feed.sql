-- The place of an event in the feed: the number of the transaction that wrote it. An event is shown once all transactions with
-- smaller numbers have ended, so places follow the order in which events are shown. The number that is added is 0 on the cluster
-- on which this migration runs; `src/feed/keep-order.ts` writes both functions anew on another one, whose numbers may be smaller.
create function feed_position() returns bigint language sql volatile
  as 'select pg_catalog.pg_current_xact_id()::text::bigint + 0';
-- The first place that may still be written.
create function feed_horizon() returns bigint language sql stable
  as 'select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint + 0';

-- -1: not in the feed, as events from before this migration. A constant default, so that no row is rewritten.
alter table email_events add column position bigint not null default -1;
alter table email_events alter column position set default feed_position();

-- Processes of the version before write null, because they insert every column of a JSON document.
create function set_feed_position() returns trigger language plpgsql as $$
begin
  new.position := feed_position();
  return new;
end $$;
create trigger email_events_position before insert on email_events
  for each row when (new.position is null) execute function set_feed_position();

-- The cluster that counts the transactions, and what is added to its numbers. Empty until the first start.
create table feed_cluster (
  single boolean primary key default true check (single),
  cluster text not null,
  added bigint not null
);
