import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { type JobResult, LeaseLost, type TeamJob } from '../../platform/jobs/job.ts'
import { type Signal, signal } from '../../platform/waiting/signal.ts'
import { openSigningKey, type SigningKey } from '../signing-secret.ts'
import { attemptDelivery } from './attempt.ts'
import { failPending } from './fail-pending.ts'
import { beginFlow, endFlow, type Flow, joinHost, mayBegin, noteSilence, whileFlying, windowMax } from './flow.ts'
import { recordAttempt } from './record.ts'
import { releaseEndpoint } from './release.ts'
import { hasPlaceForSlow, isKnownSlow, rememberSlow, slowAppointment } from './slow.ts'
import { type Due, type Endpoint, takeDue } from './take.ts'
import { onNews } from './wake.ts'

/** After this time an endpoint gives its place to others that wait. */
const turnMs = 5000
/**
 * Attempts that are under way or not yet recorded, which is what a kill repeats at most. Past it, new attempts wait for
 * the database.
 */
const unrecordedMax = 10 * windowMax
/** Windows of deliveries to read ahead, because many endpoints answer faster than a read. */
const windowsAhead = 4
/** The greatest age of an endpoint's URL and secret when an attempt begins, because they can change at any time. */
const knownForMs = 100
/** How often deliveries added by other processes are looked for while attempts are under way. */
const lookEveryMs = 1000
/** An attempt that ends this long after the last read is a reason to read again. */
const lookAgainMs = 50
/** While this process shuts down, it leaves the endpoint to another one for this long. */
const drainingMs = 1000
/** After this time a transaction that adds a delivery has usually committed. */
const busyPauseMs = 10

/** The state of delivering to one endpoint while its job is held. */
type Turn = {
  app: App
  job: TeamJob
  othersWait(): boolean
  news: Signal
  endpoint: (Endpoint & { keys: SigningKey[] }) | null
  knownAt: number
  /** Deliveries taken but not begun. */
  queue: Due[]
  /** Ids of deliveries taken but not recorded. They are not taken again. */
  held: Set<string>
  flow: Flow
  begunAt: number
  hasTried: boolean
  isTaking: boolean
  /** True if the last read found all due deliveries and none was announced since. */
  isEmpty: boolean
  isLost: boolean
  fault: { error: unknown } | null
}

/**
 * Delivers to an endpoint until nothing is due. While attempts are under way, the next deliveries are read and results
 * are recorded, in statements shared with other endpoints.
 */
export async function workOff(app: App, job: TeamJob, { othersWait }: Pick<Turn, 'othersWait'>): Promise<JobResult> {
  const flow = beginFlow(app, isKnownSlow(app, job.key))
  const turn: Turn = {
    app,
    job,
    othersWait,
    news: signal(),
    endpoint: null,
    knownAt: 0,
    queue: [],
    held: new Set<string>(),
    flow,
    begunAt: performance.now(),
    hasTried: false,
    isTaking: false,
    isEmpty: false,
    isLost: false,
    fault: null,
  }
  const look = () => {
    noteSilence(flow)
    turn.isEmpty = false
    turn.news.give()
  }
  const forget = onNews(app, job.key, look)
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
    rememberSlow(app, job.key, flow.isSlow)
    endFlow(flow)
  }
}

function mustLeave(turn: Turn): boolean {
  return turn.isLost || turn.fault !== null || turn.app.isDraining() || makesRoom(turn)
}

/** Tells whether the endpoint should give its place to another. Each endpoint gets at least one round of attempts. */
function makesRoom({ app, flow, begunAt, hasTried, othersWait }: Turn): boolean {
  if (flow.isSlow && !hasPlaceForSlow(app)) return hasTried
  return performance.now() - begunAt > turnMs && othersWait()
}

/** Drops the deliveries that have not begun. */
function dropQueue({ queue, held }: Turn): void {
  for (const { id } of queue.splice(0)) held.delete(id)
}

function wantsMore({ isTaking, isEmpty, queue, flow: { window } }: Turn, isOutdated: boolean): boolean {
  if (isTaking) return false
  const isLow = queue.length < (windowsAhead / 2) * window
  if (isLow && !isEmpty) return true
  return isOutdated && queue.length > 0
}

async function take(turn: Turn): Promise<void> {
  turn.isTaking = true
  // Deliveries added from here on are announced.
  turn.isEmpty = true
  const count = Math.max(windowsAhead * turn.flow.window - turn.queue.length, 0)
  try {
    const taken = await takeDue(turn.app, { job: turn.job, count, held: [...turn.held] })
    if (!taken) turn.isLost = true
    else {
      const { endpoint, due } = taken
      const known = turn.endpoint
      const open = (sealed: string) => openSigningKey(turn.app.keyring, turn.job.key, sealed)
      const isKnown = known?.sealedSecrets.join() === endpoint.sealedSecrets.join()
      turn.endpoint = { ...endpoint, keys: isKnown ? known!.keys : endpoint.sealedSecrets.map(open) }
      joinHost(turn.flow, turn.job.teamId, new URL(endpoint.url).hostname)
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
  const { queue, held, endpoint, flow } = turn
  while (queue.length > 0 && mayBegin(flow) && held.size - queue.length < unrecordedMax) {
    void deliver(turn, endpoint!, queue.shift()!)
  }
}

async function deliver(turn: Turn, endpoint: NonNullable<Turn['endpoint']>, due: Due): Promise<void> {
  turn.hasTried = true
  try {
    const attempted = await whileFlying(turn.flow, () => attemptDelivery(turn.app, endpoint, due))
    if (performance.now() - turn.knownAt > lookAgainMs) turn.isEmpty = false
    turn.news.give()
    await recordAttempt(turn.app, attempted)
  } catch (error) {
    turn.fault = { error }
  }
  turn.held.delete(due.id)
  turn.news.give()
}

/** Releases the endpoint once no attempt is under way. Null if more work was found. */
async function leave(turn: Turn): Promise<JobResult | null> {
  const { app, job } = turn
  // The process that holds the lease now repeats what was not recorded.
  if (turn.isLost) throw new LeaseLost()
  if (turn.fault) throw turn.fault.error
  if (mustLeave(turn)) return { runAt: nextTurnAt(turn) }
  if (turn.endpoint?.status === 'inactive') await failPending(app, job)
  const released = await releaseEndpoint(app, job)
  if (released === 'done') return 'recorded'
  if (released === 'busy') await sleep(busyPauseMs)
  turn.isEmpty = false
  return null
}

function nextTurnAt({ app, flow }: Turn): Date {
  const now = app.clock.now()
  if (app.isDraining()) return new Date(now.getTime() + drainingMs)
  return flow.isSlow ? slowAppointment(app) : now
}
