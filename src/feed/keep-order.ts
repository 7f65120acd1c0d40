import type pg from 'pg'
import { answerMaxMs, beginSession } from '../platform/sql/begin-session.ts'

/** Finds a jump over all teams, which takes longer than other statements. */
const leapMaxMs = 60_000

/**
 * Keeps the order while a process runs: the address of the database may lead to another cluster later, such as a
 * standby that has taken over. Connections do not move, so `check` asks each new one before anything is written on it.
 */
export function feedOrderKeeper() {
  let known: string | null = null
  return {
    /** Runs at the start, once the database is migrated. */
    async begin(client: pg.ClientBase): Promise<void> {
      await keepFeedOrder(client)
      known = await findCluster(client)
    },
    /** Throws on a standby, on which nothing can be written before it takes over, and nothing is known afterwards. */
    async check(client: pg.ClientBase): Promise<void> {
      if (known === null) return
      const here = await findCluster(client)
      if (here === known) return
      await client.query(`set statement_timeout = ${leapMaxMs}`)
      await keepFeedOrder(client)
      await beginSession(client)
      known = here
    },
  }
}

/** Null for a login that may not ask. */
async function findCluster(client: pg.ClientBase): Promise<string | null> {
  const query = { text: `select ${cluster} as here from pg_control_system()`, query_timeout: answerMaxMs }
  const { rows } = await client.query(query as pg.QueryConfig).catch((error) => {
    if (['42501', '0A000'].includes(error.code)) return { rows: [] }
    throw error
  })
  return rows[0]?.here ?? null
}

/**
 * Lets places in the feed go on growing after the database was restored on another cluster of PostgreSQL, whose numbers
 * of transactions may be smaller. Runs before anything is written there. It is one statement, so that a process that is
 * killed leaves nothing half done, and only one of two that begin together does it.
 */
export async function keepFeedOrder(client: pg.ClientBase): Promise<void> {
  await client.query(leapAhead)
}

/**
 * The timeline is read from the name of the file that is written to: the control file has the one before until the
 * first checkpoint.
 */
const cluster = `system_identifier || ' ' || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint`

/**
 * Lets the feed go on past the places that the old server gave after the backup was made. The name of the cluster is
 * replaced, because the restored database may be on the same one. Part of the transaction that writes all rows.
 */
export async function leapAfterRestore(client: pg.ClientBase): Promise<void> {
  await client.query("update feed_cluster set cluster = 'a backup'")
  await keepFeedOrder(client)
}

/**
 * Both functions add the same number to those of the cluster. On another cluster it grows, so that the next place is
 * 2^32 behind the last one: readers may know places that were given after the dump was made. The last place is found
 * with one look into the index for each team; retention may have removed its event.
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
    select ${cluster} into here from pg_control_system();
  exception when insufficient_privilege or feature_not_supported then
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
  select coalesce(max(position), 0) into last from (
    select position from lasts union all select position from email_event_removals
  ) as places;
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
