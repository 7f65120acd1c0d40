import { sql } from 'kysely'
import { namesPerson } from '../../privacy/names-person.ts'
import { candidatePattern } from '../../privacy/person.ts'
import type { Found, Trace } from '../../privacy/trace.ts'

/** Jobs that are read in one page. */
const readMax = 500

type Row = { id: string; payload: unknown; error: string; isCandidate: boolean }

/** Discarded jobs whose payload or error names the person. They are deleted, and an export leaves them out. */
export const discardedJobTraces: Trace[] = [
  {
    name: 'discardedJobs',
    reads: [{ table: 'discarded_jobs', column: 'team_id' }],
    async find(db, teamId, person, after) {
      const { rows } = await sql<Row>`
        select id, payload, error, concat_ws(E'\\n', payload::text, error) ~* ${candidatePattern(person)} as "isCandidate"
        from discarded_jobs where team_id = ${teamId} and id > ${after === '' ? '0' : after} order by id limit ${readMax}
      `.execute(db)
      const found = rows
        .filter(({ isCandidate }) => isCandidate)
        .filter(({ payload, error }) => namesPerson(payload, 'json', person) || namesPerson(error, 'text', person))
        .map(({ id, payload, error }): Found => ({ key: [id], row: { payload, error } }))
      return { found, next: rows.length === readMax ? rows.at(-1)!.id : null }
    },
    async erase(tx, teamId, found) {
      const ids = found.map(({ key }) => key[0])
      await sql`delete from discarded_jobs where team_id = ${teamId} and id = any(${ids}::bigint[])`.execute(tx.db)
      return found.length
    },
  },
]
