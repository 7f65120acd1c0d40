import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { type Job, type JobResult, LeaseLost } from '../../platform/jobs/job.ts'
import { type Signal, signal } from '../../platform/signal.ts'
import { openSigningKey } from '../signing-secret.ts'
import { attemptDelivery } from './attempt.ts'
import { failPending } from './fail-pending.ts'
import { joinHost } from './host-share.ts'
import { beginPace, endPace, hasRoom, noteSilence, type Pace, whileFlying, windowMax } from './pace.ts'
import { recordAttempt } from './record.ts'
import { releaseEndpoint } from './release.ts'
import { appointment, hasPlaceForSlow, isKnownSlow, rememberSlow } from './slow.ts'
import { type Due, type Endpoint, takeDue } from './take.ts'
import { onNews } from './wake.ts'

/** After so long an endpoint makes room for others that wait. */
const turnMs = 5000
/** Under way and waiting to be recorded: what a kill repeats at most. Past it, a slow database is waited for. */
const unrecordedMax = 10 * windowMax
/** How far ahead is read, in windows: reading takes longer than many an endpoint's answer. */
const windowsAhead = 4
/** How old what is known of an endpoint may be when an attempt begins: its URL and secret can change at any time. */
const knownForMs = 100
/** How often something added by another process is looked for while answers are awaited, and at most while they come. */
const lookEveryMs = 1000
const lookAgainMs = 50
/** While this process ends it would only take the endpoint up again; another one may. */
const drainingMs = 1000
/** Somebody who is adding a delivery is committing by now. */
const busyPauseMs = 10

/** One stretch of work at one endpoint, by whoever holds its job. */
type Turn = {
  app: App
  job: Job
  othersWait(): boolean
  news: Signal
  endpoint: (Endpoint & { keys: KeyObject[] }) | null
  knownAt: number
  /** Taken and not begun. */
  queue: Due[]
  /** Taken and not recorded: these are not taken again. */
  held: Set<string>
  pace: Pace
  begunAt: number
  hasTried: boolean
  isTaking: boolean
  /** The last look found all there was, and nothing has been heard of since. */
  isEmpty: boolean
  isLost: boolean
  fault: { error: unknown } | null
}

/**
 * Works off what is due at an endpoint until nothing is. While answers are awaited the next deliveries are read, and
 * what was answered is recorded, each in statements shared with other endpoints.
 */
export async function workOff(app: App, job: Job, { othersWait }: Pick<Turn, 'othersWait'>): Promise<JobResult> {
  const pace = beginPace(isKnownSlow(job.key!))
  const turn: Turn = {
    ...{ app, job, othersWait, news: signal(), endpoint: null, knownAt: 0, queue: [], held: new Set<string>(), pace },
    ...{ begunAt: performance.now(), hasTried: false, isTaking: false, isEmpty: false, isLost: false, fault: null },
  }
  const look = () => {
    noteSilence(pace)
    turn.isEmpty = false
    turn.news.give()
  }
  const forget = onNews(job.key!, look)
  const timer = setInterval(look, lookEveryMs)
  try {
    for (;;) {
      const isLeaving = mustLeave(turn)
      if (isLeaving) dropQueue(turn)
      else {
        const isOutdated = performance.now() - turn.knownAt > knownForMs
        if (wantsMore(turn, isOutdated)) void take(turn)
        if (!isOutdated) beginAttempts(turn)
      }
      if (turn.held.size > 0 || turn.isTaking || !(isLeaving || turn.isEmpty)) await turn.news.heard()
      else {
        const result = await leave(turn)
        if (result) return result
      }
    }
  } finally {
    clearInterval(timer)
    forget()
    rememberSlow(job.key!, pace.isSlow)
    endPace(pace)
  }
}

function mustLeave(turn: Turn): boolean {
  return turn.isLost || turn.fault !== null || turn.app.isDraining() || makesRoom(turn)
}

/** A round of attempts is everybody's, or nothing would ever come of a slow one while there are too many. */
function makesRoom({ pace, begunAt, hasTried, othersWait }: Turn): boolean {
  if (pace.isSlow && !hasPlaceForSlow()) return hasTried
  return performance.now() - begunAt > turnMs && othersWait()
}

/** What has not begun is nobody's yet. */
function dropQueue({ queue, held }: Turn): void {
  for (const { id } of queue.splice(0)) held.delete(id)
}

function wantsMore({ isTaking, isEmpty, queue, pace: { window } }: Turn, isOutdated: boolean): boolean {
  if (isTaking) return false
  return queue.length < (windowsAhead / 2) * window ? !isEmpty || (isOutdated && queue.length > 0) : isOutdated
}

async function take(turn: Turn): Promise<void> {
  turn.isTaking = true
  // What is added from here on is news again.
  turn.isEmpty = true
  const count = Math.max(windowsAhead * turn.pace.window - turn.queue.length, 0)
  try {
    const taken = await takeDue(turn.app, { job: turn.job, count, held: [...turn.held] })
    if (!taken) turn.isLost = true
    else {
      const { endpoint, due } = taken
      const known = turn.endpoint
      const open = (sealed: string) => openSigningKey(turn.app.keyring, turn.job.key!, sealed)
      const isKnown = known?.sealedSecrets.join() === endpoint.sealedSecrets.join()
      turn.endpoint = { ...endpoint, keys: isKnown ? known!.keys : endpoint.sealedSecrets.map(open) }
      joinHost(turn.pace, turn.job.teamId!, new URL(endpoint.url).hostname)
      turn.knownAt = performance.now()
      if (endpoint.status === 'inactive') dropQueue(turn)
      turn.queue.push(...due)
      for (const { id } of due) turn.held.add(id)
      if (due.length === count) turn.isEmpty = false
    }
  } catch (error) {
    turn.fault = { error }
  }
  turn.isTaking = false
  turn.news.give()
}

function beginAttempts(turn: Turn): void {
  const { queue, held, endpoint, pace } = turn
  while (queue.length > 0 && hasRoom(pace) && held.size - queue.length < unrecordedMax) {
    void deliver(turn, endpoint!, queue.shift()!)
  }
}

async function deliver(turn: Turn, { url, keys }: NonNullable<Turn['endpoint']>, due: Due): Promise<void> {
  turn.hasTried = true
  try {
    const attempted = await whileFlying(turn.pace, () => attemptDelivery(turn.app, url, keys, due))
    if (performance.now() - turn.knownAt > lookAgainMs) turn.isEmpty = false
    turn.news.give()
    await recordAttempt(turn.app, attempted)
  } catch (error) {
    turn.fault = { error }
  }
  turn.held.delete(due.id)
  turn.news.give()
}

/** Nothing is under way any more. Gives nothing where the work goes on after all. */
async function leave(turn: Turn): Promise<JobResult | null> {
  const { app, job } = turn
  // Whoever holds the lease now repeats what was not recorded.
  if (turn.isLost) throw new LeaseLost()
  if (turn.fault) throw turn.fault.error
  if (mustLeave(turn)) return { runAt: nextTurnAt(turn) }
  if (turn.endpoint?.status === 'inactive') await failPending(app, job)
  const released = await releaseEndpoint(app, job)
  if (released === 'done') return 'settled'
  if (released === 'busy') await sleep(busyPauseMs)
  turn.isEmpty = false
  return null
}

function nextTurnAt({ app, pace }: Turn): Date {
  const now = app.clock.now()
  if (app.isDraining()) return new Date(now.getTime() + drainingMs)
  return pace.isSlow ? appointment(now) : now
}
