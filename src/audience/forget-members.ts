import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { defineJob } from '../platform/jobs/job.ts'
import { forgetMembersJob } from './jobs.ts'

/** Members that one statement deletes, in a fraction of a second. */
const pageSize = 5000

const tables = {
  segment: { name: 'segment_contacts', column: 'segment_id' },
  topic: { name: 'topic_subscriptions', column: 'topic_id' },
} as const

/** Deletes the members of a deleted segment or topic, one page in each commit. */
export const forgetMembers = defineJob(forgetMembersJob, {
  concurrency: 1,
  retryDelaysMs: [60_000],
  async run(app: App, { teamId, key, payload }) {
    const count = await app.transaction((tx) => deletePage(tx, teamId, payload.noun, key))
    return count === pageSize ? { runAt: app.clock.now() } : undefined
  },
})

async function deletePage(tx: Tx, teamId: string, noun: keyof typeof tables, id: string): Promise<number> {
  const table = sql.table(tables[noun].name)
  const isMember = sql`team_id = ${teamId} and ${sql.ref(tables[noun].column)} = ${id}`
  const { numAffectedRows } = await sql`
    delete from ${table} where ${isMember} and contact_id = any(array(
      select contact_id from ${table} where ${isMember} order by contact_id limit ${pageSize}
    ))
  `.execute(tx.db)
  return Number(numAffectedRows)
}
