import type { App } from '../../../context.ts'
import { rateLimited, unavailable } from '../../errors.ts'
import { createFairSlots } from '../../limits/fair-slots.ts'
import { perApp } from '../../per-app.ts'

type HeavyRead = 'search' | 'longRead'
type Heavy = HeavyRead | 'bulkWrite'

const nouns = { search: 'searches', longRead: 'large reads', bulkWrite: 'changes of many contacts' }
/** The connections of a network also limit the waiting requests. */
const waiting = {
  teamWaitingMax: 100,
  /** Longer than one query can take: the database ends a statement after 8 s. */
  waitMs: 10_000,
}

const slotsOf = perApp(() => ({
  /** At most half of the process's 12 connections. */
  search: createFairSlots({ ...waiting, slotsMax: 6, teamSlotsMax: 3 }),
  /** The largest answers, of 34 MiB, briefly take a few hundred MiB. */
  longRead: createFairSlots({ ...waiting, slotsMax: 2, teamSlotsMax: 1 }),
  /** Changes of the same contacts wait for each other in the database, each with a connection. */
  bulkWrite: createFairSlots({ ...waiting, slotsMax: 4, teamSlotsMax: 2 }),
}))

/**
 * Runs a slow search or a large read when it is its team's turn, so that one team cannot use all connections and
 * memory. Throws `rateLimited` if the team has too many already, and `unavailable` if all teams together have.
 */
export function runHeavyRead<T>(app: App, teamId: string, kind: HeavyRead, read: () => Promise<T>): Promise<T> {
  return runInTurn(app, teamId, kind, read)
}

/** Runs a change of many contacts when it is its team's turn. Throws as `runHeavyRead` does. */
export function runBulkWrite<T>(app: App, teamId: string, write: () => Promise<T>): Promise<T> {
  return runInTurn(app, teamId, 'bulkWrite', write)
}

async function runInTurn<T>(app: App, teamId: string, kind: Heavy, work: () => Promise<T>): Promise<T> {
  const slot = await slotsOf(app)[kind].enter(teamId)
  if ('refused' in slot) throw slot.refused === 'team' ? tooManyOfTeam(nouns[kind]) : tooMany(nouns[kind])
  try {
    return await work()
  } finally {
    slot.leave()
  }
}

function tooManyOfTeam(noun: string) {
  return rateLimited(`Too many ${noun} of this team at once. Wait for some of them to end, then repeat this one.`, 2)
}

function tooMany(noun: string) {
  return unavailable(`Too many ${noun} at once. Repeat this one shortly.`, 2)
}
