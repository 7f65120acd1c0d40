import type pg from 'pg'

/**
 * Lets places in the feed go on growing after the database was restored on another cluster of PostgreSQL, whose numbers
 * of transactions may be smaller. Runs at each start, before anything is written. It is one statement, so that a
 * process that is killed leaves nothing half done, and only one of two that start together does it.
 */
export async function keepFeedOrder(client: pg.ClientBase): Promise<void> {
  await client.query(leapAhead)
}

/**
 * Both functions add the same number to those of the cluster. On another cluster it grows, so that the next place is
 * 2^32 behind the last one: readers may know places that were given after the dump was made. The last place is found
 * with one look into the index for each team.
 *
 * A standby that takes over may have lost the last transactions and count them again, so its timeline counts as another
 * cluster. For a login that may not ask, the cluster is `unknown`, and the last place is compared with the next number.
 */
const leapAhead = `
do $$
declare
  here text := 'unknown';
  known feed_cluster;
  next constant bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  last bigint;
  more bigint;
begin
  begin
    select system_identifier || ' ' || timeline_id into here from pg_control_system(), pg_control_checkpoint();
  exception when insufficient_privilege then
    null;
  end;
  select * into known from feed_cluster;
  if known.cluster = here and here <> 'unknown' then return; end if;
  lock table feed_cluster in exclusive mode;
  select * into known from feed_cluster;
  if known.cluster is null then
    insert into feed_cluster (cluster, added) values (here, 0);
    return;
  end if;
  with recursive lasts as (
    (select team_id, position from email_events where position >= 0 order by team_id desc, position desc limit 1)
    union all
    select before.team_id, before.position from lasts cross join lateral (
      select team_id, position from email_events where position >= 0 and team_id < lasts.team_id
      order by team_id desc, position desc limit 1
    ) as before
  )
  select coalesce(max(position), 0) into last from lasts;
  if known.cluster = here and (here <> 'unknown' or last < next + known.added) then return; end if;
  more := greatest(known.added, last - next) + 4294967296;
  execute format(
    'create or replace function feed_position() returns bigint language sql volatile
       as ''select pg_catalog.pg_current_xact_id()::text::bigint + %s''', more);
  execute format(
    'create or replace function feed_horizon() returns bigint language sql stable
       as ''select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint + %s''', more);
  update feed_cluster set cluster = here, added = more;
end $$`
