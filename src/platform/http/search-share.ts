import type { App } from '../../context.ts'
import { rateLimited, unavailable } from '../errors.ts'
import { createTurnstile, type Turnstile } from '../turnstile.ts'

/** Searches that run at once for one team, and for all teams together: at most half of the process's 12 connections. */
const perTeamMax = 3
const perProcessMax = 6
const waitingPerTeamMax = 100
/** Longer than one search can take: the database ends a statement after 8 s. */
const waitMs = 10_000

type TeamShare = { turnstile: Turnstile; entrants: number }
type Shares = { process: Turnstile; teams: Map<string, TeamShare> }

const sharesByApp = new WeakMap<App, Shares>()

/**
 * Runs a search when it is its team's turn, so that the slow searches of one team leave connections to everybody else.
 * Throws `rateLimited` where too many searches of the team wait already, `unavailable` where too many of all teams do.
 */
export async function searchInTurn<T>(app: App, teamId: string, search: () => Promise<T>): Promise<T> {
  const shares = sharesOf(app)
  const share = shares.teams.get(teamId) ?? { turnstile: turnstileOf(perTeamMax, waitingPerTeamMax), entrants: 0 }
  shares.teams.set(teamId, share)
  share.entrants++
  try {
    return await passing(share.turnstile, tooManyOfTeam, () => passing(shares.process, tooMany, search))
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

function sharesOf(app: App): Shares {
  const known = sharesByApp.get(app)
  if (known) return known
  const made = { process: turnstileOf(perProcessMax, 1000), teams: new Map() }
  sharesByApp.set(app, made)
  return made
}

function turnstileOf(runningMax: number, count: number): Turnstile {
  return createTurnstile({ runningMax, waitingMax: { count, bytes: 0 }, waitMs })
}

function tooManyOfTeam() {
  return rateLimited('Too many searches of this team at once. Wait for some of them to end, then repeat this one.', 2)
}

function tooMany() {
  return unavailable('Too many searches at once. Repeat this one shortly.', 2)
}
