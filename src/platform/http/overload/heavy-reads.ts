import type { App } from '../../../context.ts'
import { rateLimited, unavailable } from '../../errors.ts'
import { createFairSlots } from '../../limits/fair-slots.ts'
import { perApp } from '../../per-app.ts'

type HeavyRead = 'search' | 'longRead'

const nouns = { search: 'searches', longRead: 'large reads' }
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
}))

/**
 * Runs a slow search or a large read when it is its team's turn, so that one team cannot use all connections and
 * memory. Throws `rateLimited` if the team has too many already, and `unavailable` if all teams together have.
 */
export async function runHeavyRead<T>(app: App, teamId: string, kind: HeavyRead, read: () => Promise<T>): Promise<T> {
  const slot = await slotsOf(app)[kind].enter(teamId)
  if ('refused' in slot) throw slot.refused === 'team' ? tooManyOfTeam(nouns[kind]) : tooMany(nouns[kind])
  try {
    return await read()
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
