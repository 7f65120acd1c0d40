import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { insertRows } from '../../platform/sql/insert-rows.ts'
import { type Failure, longestWindowMs, type Subject } from './rules.ts'

/** Locks each subject until the transaction ends. The order is fixed, so that two transactions cannot deadlock. */
export async function lockSubjects(tx: Tx, subjects: Subject[]): Promise<void> {
  const names = subjects.map(({ name }) => name)
  await sql`
    select pg_advisory_xact_lock(key)
    from (select hashtextextended(name, 0) as key from unnest(${names}::text[]) as subject (name) order by 1) as keys
  `.execute(tx.db)
}

/**
 * Lists the failures that may still count. There are never more than the limits allow, because a throttled attempt adds
 * none.
 */
export async function listFailures(db: Db, subjects: Subject[], now: Date): Promise<Failure[]> {
  const names = subjects.map(({ name }) => name)
  return await db
    .selectFrom('login_failures')
    .select(['subject', 'failed_at as failedAt'])
    .where('subject', '=', sql<string>`any(${names})`)
    .where('failed_at', '>', new Date(now.getTime() - longestWindowMs))
    .execute()
}

export async function insertFailures(tx: Tx, subjects: Subject[]): Promise<void> {
  const rows = subjects.map(({ name }) => ({ subject: name, failed_at: tx.now }))
  await insertRows(tx, 'login_failures', rows)
}
