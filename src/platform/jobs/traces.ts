import { sql } from 'kysely'
import { maskPerson } from '../privacy/mask-person.ts'
import { namesPerson } from '../privacy/names-person.ts'
import { candidatePattern, type Person } from '../privacy/person.ts'
import type { Found, Trace } from '../privacy/trace.ts'

/** Jobs of all teams that are read in one page: an index by team would be written with each message. */
const readMax = 5000

type Row = { id: string; payload: Record<string, unknown> | null; error: string | null }

/**
 * Jobs that wait and name the person. What a job was to do for the person is left out, and a job with nothing left to
 * do is deleted. One that is running is looked at again in the next round.
 */
export const jobTraces: Trace[] = [
  {
    name: 'jobs',
    reads: [{ table: 'jobs', column: 'id' }],
    async find(db, teamId, person, after) {
      const { rows } = await sql<Row & { last: string; count: number }>`
        with page as materialized (
          select id, team_id, payload, last_error from jobs where id > ${after === '' ? '0' : after} order by id limit ${readMax}
        )
        select id, payload, last_error as error, null as last, null as count from page
        where team_id = ${teamId} and concat_ws(E'\\n', payload::text, last_error) ~* ${candidatePattern(person)}
        union all select null, null, null, max(id)::text, count(*)::int from page
      `.execute(db)
      const end = rows.find(({ id }) => id === null)!
      const found = rows
        .filter(({ id, payload, error }) => id !== null && isNamed(payload, error, person))
        .map(({ id, payload, error }): Found => ({ key: [id], row: { payload, error } }))
      return { found, next: end.count === readMax ? end.last : null }
    },
    async erase(tx, teamId, found, person) {
      let erased = 0
      for (const { key } of found) {
        const isJob = sql`id = ${key[0]} and team_id = ${teamId}`
        const { rows } = await sql<Row>`
          select id, payload, last_error as error from jobs where ${isJob} and lease_token is null for update
        `.execute(tx.db)
        const job = rows[0]
        if (!job) continue
        erased++
        const payload = withoutPerson(job.payload!, person)
        await (payload
          ? sql`
              update jobs set payload = ${JSON.stringify(payload)}::jsonb, last_error = ${maskPerson(job.error, 'text', person)}
              where ${isJob}
            `
          : sql`delete from jobs where ${isJob}`
        ).execute(tx.db)
      }
      return erased
    },
  },
]

function isNamed(payload: unknown, error: unknown, person: Person): boolean {
  return namesPerson(payload, 'json', person) || namesPerson(error, 'text', person)
}

/**
 * Leaves the person out of the payload's lists, such as recipients and events. Null if all lists that named the person
 * have become empty.
 */
function withoutPerson(payload: Record<string, unknown>, person: Person): unknown {
  const lists = Object.entries(payload).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const rest = lists.map(([name, list]) => {
    return [name, list.filter((item) => !namesPerson(item, 'json', person))] as const
  })
  const shortened = rest.filter(([name, list]) => list.length < (payload[name] as []).length)
  const isDone = shortened.length > 0 && shortened.every(([, list]) => list.length === 0)
  return isDone ? null : maskPerson({ ...payload, ...Object.fromEntries(rest) }, 'json', person)
}
