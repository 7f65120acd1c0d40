import { type RawBuilder, sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import { recordChange, recordUpdate } from '../platform/audit/record.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { enqueueJob } from '../platform/jobs/enqueue.ts'
import { teamsNaming } from '../platform/mode/mode.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import { forgetMembersJob } from './jobs.ts'

type Kind = {
  noun: 'segment' | 'topic'
  /** Selects rows with their counts, from the table of the noun. */
  counted: RawBuilder<unknown>
  /** The verb of a broadcast that uses it, as an error says it: `goes to`. */
  useOf: string
}

type LockedGroup = { name: string; teamId: string }
type Named = { name: string }
type Deleted = { id: string; deleted: true }

/** Makes what segments and topics do alike. A row is a named group of contacts, as answers show it. */
export function groupsOf<Row>({ noun, counted, useOf }: Kind) {
  const table = `${noun}s` as const

  async function find(db: Db, teamId: string, id: string): Promise<Row | undefined> {
    const isRow = sql`${sql.ref(`${table}.team_id`)} = ${teamId} and ${sql.ref(`${table}.id`)} = ${id}`
    const { rows } = await sql<Row>`${counted} where ${isRow}`.execute(db)
    return rows[0]
  }

  /** Locks one against deletion until the unit of work ends. Undefined if none of the teams has it. */
  async function lock(tx: Tx, teamIds: string[], id: string): Promise<LockedGroup | undefined> {
    const { rows } = await sql<LockedGroup>`
      select name, team_id as "teamId" from ${sql.table(table)}
      where team_id = any(${teamIds}::uuid[]) and id = ${id} for key share
    `.execute(tx.db)
    return rows[0]
  }

  /** Returns a page, newest first. */
  function list(app: App, teamId: string, query: PageQuery) {
    const rows = sql<Row & { id: string }>`${counted} where ${sql.ref(`${table}.team_id`)} = ${teamId}`
    return readPage(app, { list: table, teamId }, query, rows)
  }

  async function insert(tx: Tx, teamId: string, { name }: Named) {
    const id = tx.newId()
    await tx.db.insertInto(table).values({ team_id: teamId, id, name, created_at: tx.now }).execute()
    await recordChange(tx, { teamId, action: `${noun}.created`, target: { type: noun, id, name } })
    return find(tx.db, teamId, id)
  }

  /** Throws `notFound`. */
  async function change(tx: Tx, teamId: string, id: string, { name }: Named) {
    const row = tx.db.selectFrom(table).select('name').where('team_id', '=', teamId).where('id', '=', id)
    const before = await row.forNoKeyUpdate().executeTakeFirstOrThrow(() => notFound(noun))
    await tx.db.updateTable(table).set({ name }).where('team_id', '=', teamId).where('id', '=', id).execute()
    const target = { type: noun, id, name }
    await recordUpdate(tx, { teamId, action: `${noun}.updated`, target }, before, { name })
    return find(tx.db, teamId, id)
  }

  /**
   * Deletes one; its contacts stay. A job removes its members, of which there may be millions. Throws `conflict` while
   * a broadcast that is scheduled, queued or sending reads it.
   */
  async function remove(tx: Tx, teamId: string, id: string): Promise<Deleted> {
    // Sending a broadcast locks what it goes to, so none begins between this check and the deletion.
    const row = tx.db.selectFrom(table).select('name').where('team_id', '=', teamId).where('id', '=', id)
    const before = await row.forUpdate().executeTakeFirstOrThrow(() => notFound(noun))
    const broadcast = await findSendingBroadcast(tx, teamId, `${noun}_id`, id)
    if (broadcast !== undefined) {
      throw conflict(`The broadcast "${broadcast}" ${useOf} this ${noun}. Cancel it, or delete the ${noun} afterwards.`)
    }
    await tx.db.deleteFrom(table).where('team_id', '=', teamId).where('id', '=', id).execute()
    await enqueueJob(tx, forgetMembersJob, { key: id.toLowerCase(), teamId, payload: { noun } })
    await recordChange(tx, { teamId, action: `${noun}.deleted`, target: { type: noun, id, name: before.name } })
    return { id, deleted: true }
  }

  return {
    ...{ find, lock, list, insert, change, remove },
    create: (app: App, teamId: string, given: Named) => app.transaction((tx) => insert(tx, teamId, given)),
    update: (app: App, teamId: string, id: string, given: Named) =>
      app.transaction((tx) => change(tx, teamId, id, given)),
    delete: (app: App, teamId: string, id: string) => app.transaction((tx) => remove(tx, teamId, id)),
  }
}

/**
 * Finds the name of a broadcast that still reads this segment or topic. The caller holds the lock of the segment or
 * topic.
 */
async function findSendingBroadcast(
  tx: Tx,
  teamId: string,
  column: 'segment_id' | 'topic_id',
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from broadcasts
    where team_id = any(${teamsNaming(teamId)}::uuid[]) and ${sql.ref(column)} = ${id} and status in ('scheduled', 'queued', 'sending') limit 1
  `.execute(tx.db)
  return rows[0]?.name
}
