import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, SentAtOnce, Tx } from '../../context.ts'
import { canonicalNumber } from '../numbers/decimal.ts'
import { ExactNumber } from '../numbers/exact-number.ts'
import { rowsOf } from '../sql/sql-rows.ts'

/**
 * One request of a client, recognised when it is repeated. The key's row is written in the transaction that accepts the
 * request, and its response with the outcome. A refused request leaves no row, so its key stays usable.
 */
export type RequestKey = { teamId: string; endpoint: string; key: string; bodyHash: Buffer }

export type StoredResponse = { status: number; body: unknown }

/**
 * Returns the key of a request, or null without the header. Bodies are compared as JSON values; the order of members
 * does not matter.
 */
export function requestKey(teamId: string, endpoint: string, key: string | null, body: unknown): RequestKey | null {
  if (key === null) return null
  return { teamId, endpoint, key, bodyHash: createHash('sha256').update(canonicalJson(body)).digest() }
}

/** Recursive: the server has limited the depth of the body. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (value instanceof ExactNumber) return canonicalNumber(String(value))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const sorted = members.sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/**
 * A key is stored with the ids of the rows that its request writes, and with `more`, which the answer has beside those
 * rows. The answer is recovered from both if this process dies.
 */
export type Claim = { resourceIds: string[]; more?: unknown }

/**
 * Inserts the keys of accepted requests, and returns the new ones. A concurrent request with the same key waits here
 * for the first one's commit.
 */
export async function insertRequestKeys(tx: Tx, keys: (RequestKey & Claim)[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const sorted = keys.toSorted((left, right) => (identityOf(left) < identityOf(right) ? -1 : 1))
  const rows = sorted.map(({ more, ...key }) => ({
    ...key,
    resourceIds: `{${key.resourceIds.join(',')}}`,
    response: more === undefined ? null : JSON.stringify({ more }),
  }))
  const names = { teamId: 'uuid', endpoint: 'text', key: 'text', bodyHash: 'bytea' } as const
  const columns = { ...names, resourceIds: 'text', response: 'jsonb' } as const
  const { rows: inserted } = await sql<RequestKey>`
    insert into idempotency_keys (team_id, endpoint, key, body_hash, resource_ids, response, created_at)
    select team_id, endpoint, key, body_hash, resource_ids::uuid[], response, ${tx.now}
    from ${rowsOf(rows, columns).as('new')}
    on conflict do nothing
    returning team_id as "teamId", endpoint, key
  `.execute(tx.db)
  return new Set(inserted.map(identityOf))
}

export function identityOf(key: Omit<RequestKey, 'bodyHash'>): string {
  return JSON.stringify([key.teamId, key.endpoint, key.key])
}

/** Stores the answers of the first requests, for all repeats. */
export async function storeResponses(tx: Tx, answers: { key: RequestKey; response: StoredResponse }[]): SentAtOnce {
  if (answers.length === 0) return
  const rows = answers.map(({ key, response: { status, body } }) => ({
    ...key,
    status,
    response: JSON.stringify(body),
  }))
  const columns = { teamId: 'uuid', endpoint: 'text', key: 'text', status: 'int', response: 'jsonb' } as const
  await tx.send(sql`
    update idempotency_keys set status = new.status, response = new.response
    from (select * from ${rowsOf(rows, columns).as('new')} order by 1, 2, 3) as new
    where idempotency_keys.team_id = new.team_id and idempotency_keys.endpoint = new.endpoint and idempotency_keys.key = new.key
  `)
}

/** Frees the keys of requests that sent nothing, so that they can be repeated. Skips requests without a key. */
export async function deleteRequestKeys(tx: Tx, given: (RequestKey | null)[]): SentAtOnce {
  const keys = given.filter((key) => key !== null)
  if (keys.length === 0) return
  await tx.send(sql`
    delete from idempotency_keys using ${rowsOf(keys, { teamId: 'uuid', endpoint: 'text', key: 'text' }).as('gone')}
    where idempotency_keys.team_id = gone.team_id and idempotency_keys.endpoint = gone.endpoint and idempotency_keys.key = gone.key
  `)
}

/** Returns the claim that a row holds until its request is answered. */
export function claimOf({ resource_ids, response }: { resource_ids: string[]; response: object | null }): Claim {
  return { resourceIds: resource_ids, ...(response as Pick<Claim, 'more'> | null) }
}

/** Finds the row of a request's key. Undefined if no request was accepted with it. */
export function findRequestKey(db: Db, key: RequestKey) {
  return db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'resource_ids', 'status', 'response'])
    .where('team_id', '=', key.teamId)
    .where('endpoint', '=', key.endpoint)
    .where('key', '=', key.key)
    .executeTakeFirst()
}
