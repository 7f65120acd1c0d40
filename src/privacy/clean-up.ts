import { sql } from 'kysely'
import type { App } from '../context.ts'
import type { Schedule } from '../platform/jobs/job.ts'
import { fileKeptMs } from './file.ts'

/** Removes the rows of exports that ended more than a day ago. */
export const cleanUpExports: Schedule = {
  kind: 'privacy.clean-up',
  everyMs: 600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - fileKeptMs)
    await app.transaction(async (tx) => {
      await sql`
        delete from privacy_export_parts as part using privacy_requests as request
        where request.finished_at < ${before} and part.team_id = request.team_id and part.request_id = request.id
      `.execute(tx.db)
    })
  },
}
