import type { App } from '../../context.ts'
import { rateLimited, unavailable } from '../errors.ts'
import { perApp } from '../per-app.ts'
import { createTurnstile, type Turnstile } from '../turnstile.ts'

export type Work = 'search' | 'longRead'

/** How many run at once for one team, and for all teams together. */
const kinds = {
  /** At most half of the process's 12 connections. */
  search: { perTeamMax: 3, perProcessMax: 6, noun: 'searches' },
  /** The largest answers, of 34 MiB, take a few hundred MiB for a moment. */
  longRead: { perTeamMax: 1, perProcessMax: 2, noun: 'large reads' },
}
const waitingPerTeamMax = 100
/** Longer than one query can take: the database ends a statement after 8 s. */
const waitMs = 10_000

type TeamShare = { turnstile: Turnstile; entrants: number }
type Shares = { process: Turnstile; teams: Map<string, TeamShare> }

const sharesOf = perApp((): Record<Work, Shares> => ({ search: newShares('search'), longRead: newShares('longRead') }))

/**
 * Runs work when it is its team's turn, so that the slow searches and large reads of one team leave connections and memory
 * to everybody else. Throws `rateLimited` where too much of the team waits already, `unavailable` where too much of all
 * teams does.
 */
export async function inTurn<T>(app: App, teamId: string, kind: Work, work: () => Promise<T>): Promise<T> {
  const { perTeamMax, noun } = kinds[kind]
  const shares = sharesOf(app)[kind]
  const share = shares.teams.get(teamId) ?? { turnstile: turnstileOf(perTeamMax, waitingPerTeamMax), entrants: 0 }
  shares.teams.set(teamId, share)
  share.entrants++
  try {
    return await passing(
      share.turnstile,
      () => tooManyOfTeam(noun),
      () => passing(shares.process, () => tooMany(noun), work),
    )
  } finally {
    if (--share.entrants === 0) shares.teams.delete(teamId)
  }
}

async function passing<T>(turnstile: Turnstile, refusal: () => Error, work: () => Promise<T>): Promise<T> {
  const leave = await turnstile.enter(0)
  if (!leave) throw refusal()
  try {
    return await work()
  } finally {
    leave()
  }
}

function newShares(kind: Work): Shares {
  return { process: turnstileOf(kinds[kind].perProcessMax, 1000), teams: new Map() }
}

function turnstileOf(runningMax: number, count: number): Turnstile {
  return createTurnstile({ runningMax, waitingMax: { count, bytes: 0 }, waitMs })
}

function tooManyOfTeam(noun: string) {
  return rateLimited(`Too many ${noun} of this team at once. Wait for some of them to end, then repeat this one.`, 2)
}

function tooMany(noun: string) {
  return unavailable(`Too many ${noun} at once. Repeat this one shortly.`, 2)
}
