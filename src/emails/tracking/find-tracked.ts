import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { idTimeMs } from '../../platform/ids.ts'
import { liveTeamOf } from '../../platform/mode/mode.ts'
import { perApp } from '../../platform/per-app.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import { type ReadTracked, readTrackingToken } from './token.ts'

/** A link is valid for a year from the creation of its email. */
const validMs = 365 * 24 * 3_600_000
/** The wait for the database. A link that cannot be looked up in this time is followed without a check. */
const lookUpMaxMs = 2000
/** The number of waiting look-ups; further links are followed without a check. */
const pendingMax = 5000

/** Finds what a token tracks. Null if we did not make it, it has expired, or its domain or team was deleted. */
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

/** Looks up many links in one statement, so that a flood of hits needs only one connection. */
const lookUp = gatheredFor((app: App, all: ReadTracked[]) => lookUpAll(app, all), { itemsMax: 200, flushesMax: 1 })

async function lookUpAll(app: App, all: ReadTracked[]): Promise<boolean[]> {
  const wanted = all.map((tracked) => ({ ...tracked, ownerId: liveTeamOf(tracked.teamId) }))
  const { rows } = await sql<{ at: number }>`
    select wanted.at from ${rowsOf(wanted, { teamId: 'uuid', ownerId: 'uuid', domainId: 'uuid', emailId: 'uuid' }).as('wanted', 'at')}
    left join emails as email on wanted.domain_id is null and email.team_id = wanted.team_id and email.id = wanted.email_id
    left join domains as domain
      on domain.team_id = wanted.owner_id and domain.id = coalesce(wanted.domain_id, email.domain_id)
    where domain.id is not null
      -- A link of an earlier release whose email was deleted since: nothing says which domain it was of.
      or (wanted.domain_id is null and email.id is null and exists (select from teams where id = wanted.team_id))
  `.execute(app.db)
  const found = new Set(rows.map(({ at }) => Number(at)))
  return all.map((_, index) => found.has(index + 1))
}
