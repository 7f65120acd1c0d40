import type { App } from '../../context.ts'
import { rateLimited } from '../../platform/errors.ts'
import { createOneAtATime } from '../../platform/limits/one-at-a-time.ts'
import { perApp } from '../../platform/per-app.ts'
import { memoryCounter } from '../../rate-limits/memory-counter.ts'

/**
 * The limits of keys a minute, which is otherwise the plan's number of domains: a key pair takes a tenth of a second.
 */
const [perMinuteLeast, perMinuteMost] = [30, 120]
const windowMs = 60_000
/** Teams that add domains within a minute. */
const teamsMax = 10_000

const turnsOf = perApp(() => ({ count: memoryCounter(teamsMax), inTurn: createOneAtATime() }))

/**
 * Makes a DKIM key pair for a domain. A team's keys are made one after the other, so that they do not delay other
 * teams.
 */
export async function makeKeys(app: App, teamId: string, domainsMax = perMinuteLeast) {
  const perMinuteMax = Math.min(Math.max(domainsMax, perMinuteLeast), perMinuteMost)
  const { count, inTurn } = turnsOf(app)
  const nowMs = app.clock.now().getTime()
  const window = Math.floor(nowMs / windowMs)
  if (count(teamId, window) > perMinuteMax) {
    const waitSeconds = Math.max(1, Math.ceil(((window + 1) * windowMs - nowMs) / 1000))
    throw rateLimited(`A team adds at most ${perMinuteMax} domains a minute. Wait ${waitSeconds} s.`, waitSeconds)
  }
  return inTurn(teamId, () => app.generateDkimKeys())
}
