import { sql } from 'kysely'
import { maskPerson } from '../privacy/mask-person.ts'
import { namesPerson } from '../privacy/names-person.ts'
import { candidatePattern, erased, type Person } from '../privacy/person.ts'
import type { Found, Trace } from '../privacy/trace.ts'

/** Keys that are read in one page. Their answers may be megabytes each, and few of them name the person. */
const readMax = 100

type Row = { endpoint: string; key: string; isCandidate: boolean; response: unknown }

/**
 * Keys and stored answers of POST requests that name the person. An answer keeps its ids, so that a repeat of the
 * request sends nothing again, and loses what it says of the person. A key that is itself a name goes; its request is
 * refused by the block.
 */
export const idempotencyTraces: Trace[] = [
  {
    name: 'idempotencyKeys',
    reads: [{ table: 'idempotency_keys', column: 'team_id' }],
    async find(db, teamId, person, after) {
      const place = after === '' ? sql`` : sql`and (endpoint, key) > (${placeOf(after)[0]}, ${placeOf(after)[1]})`
      const pattern = candidatePattern(person)
      const { rows } = await sql<Row>`
        select endpoint, key, "isCandidate", case when "isCandidate" then response end as response from (
          select endpoint, key, response, concat_ws(E'\\n', endpoint, key, response::text) ~* ${pattern} as "isCandidate"
          from idempotency_keys where team_id = ${teamId} ${place} order by endpoint, key limit ${readMax}
        ) as page order by endpoint, key
      `.execute(db)
      const found = rows
        .filter(({ isCandidate }) => isCandidate)
        .map(({ endpoint, key, response }): Found => ({ key: [endpoint, key], row: { endpoint, key, response } }))
        .filter(({ row }) => isNamed(row, person))
      const last = rows.at(-1)
      return { found, next: rows.length === readMax ? JSON.stringify([last!.endpoint, last!.key]) : null }
    },
    async erase(tx, teamId, found, person) {
      for (const { key, row } of found) {
        const isRow = sql`team_id = ${teamId} and endpoint = ${key[0]} and key = ${key[1]}`
        if (isNamedIn([row.endpoint, row.key], person)) {
          await sql`delete from idempotency_keys where ${isRow}`.execute(tx.db)
          continue
        }
        const response = JSON.stringify(maskPerson(withoutContent(row.response, person), 'json', person))
        await sql`update idempotency_keys set response = ${response}::jsonb where ${isRow}`.execute(tx.db)
      }
      return found.length
    },
  },
]

const placeOf = (after: string) => JSON.parse(after) as [endpoint: string, key: string]

function isNamed(row: Found['row'], person: Person): boolean {
  return isNamedIn([row.endpoint, row.key], person) || namesPerson(row.response, 'json', person)
}

function isNamedIn(texts: unknown[], person: Person): boolean {
  return namesPerson(texts, 'json', person)
}

/** Members of answers with what was written, by the text that takes their place. */
const content: Record<string, unknown> = { html: null, text: null, subject: erased, body: erased, variables: null }

/** Takes the content out of messages that name the person, also of those in a list. */
function withoutContent(response: unknown, person: Person): unknown {
  if (Array.isArray(response)) return response.map((each) => withoutContent(each, person))
  if (typeof response !== 'object' || response === null || !namesPerson(response, 'json', person)) return response
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => {
      if (name === 'data') return [name, withoutContent(value, person)]
      return [name, value !== null && name in content ? content[name] : value]
    }),
  )
}
