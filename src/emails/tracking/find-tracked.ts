import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { gatheredFor } from '../../platform/gather.ts'
import { idTimeMs } from '../../platform/ids.ts'
import { perApp } from '../../platform/per-app.ts'
import { rowsOf } from '../../platform/sql-rows.ts'
import { type ReadTracked, readTrackingToken } from './token.ts'

/** A link is good for a year from its email on. */
const validMs = 365 * 24 * 3_600_000
/** Readers are not kept waiting for the database: a link that cannot be looked up leads on. */
const lookUpMaxMs = 2000
/** Look-ups that wait at a time; what comes on top is served without. */
const pendingMax = 5000

/** Finds where a token leads. Null if we did not make it, its year is over, or its domain or team is gone. */
export async function findTracked(app: App, token: string): Promise<ReadTracked | null> {
  const tracked = readTrackingToken(app.keyring, token)
  if (!tracked || app.clock.now().getTime() - idTimeMs(tracked.emailId) > validMs) return null
  return (await hasDomain(app, tracked)) ? tracked : null
}

const lookUpsOf = perApp(() => ({ pending: 0 }))

async function hasDomain(app: App, tracked: ReadTracked): Promise<boolean> {
  const lookUps = lookUpsOf(app)
  if (lookUps.pending >= pendingMax) return true
  lookUps.pending++
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, lookUpMaxMs, true)
  const looking = lookUp(app, tracked)
    .catch(() => true)
    .finally(() => {
      lookUps.pending--
      clearTimeout(timer)
    })
  return Promise.race([looking, late])
}

/** Many at a time share a statement, so that a flood of hits holds one connection. */
const lookUp = gatheredFor((app: App, all: ReadTracked[]) => lookUpAll(app, all), { itemsMax: 200, flushesMax: 1 })

async function lookUpAll(app: App, all: ReadTracked[]): Promise<boolean[]> {
  const { rows } = await sql<{ at: number }>`
    select wanted.at from ${rowsOf(all, { teamId: 'uuid', domainId: 'uuid', emailId: 'uuid' }).as('wanted', 'at')}
    left join emails as email on wanted.domain_id is null and email.team_id = wanted.team_id and email.id = wanted.email_id
    left join domains as domain
      on domain.team_id = wanted.team_id and domain.id = coalesce(wanted.domain_id, email.domain_id)
    where domain.id is not null
      -- A link of an earlier release whose email was deleted since: nothing says which domain it was of.
      or (wanted.domain_id is null and email.id is null and exists (select from teams where id = wanted.team_id))
  `.execute(app.db)
  const found = new Set(rows.map(({ at }) => Number(at)))
  return all.map((_, index) => found.has(index + 1))
}
