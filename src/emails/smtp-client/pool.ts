import { createBoundedQueue } from '../../platform/limits/bounded-queue.ts'
import type { Terms } from '../provider.ts'
import { createAttempts } from './attempts.ts'
import { type ConnectOptions, connect } from './connect.ts'
import type { Envelope } from './envelope.ts'
import { type Failure, SmtpFailure } from './failure.ts'
import { createMembers } from './members.ts'
import { createPace, type Pace } from './pace.ts'
import { fail, type Job, jobOf, lateMessage, queueFailure } from './pool-job.ts'
import type { TransactionResult } from './transaction.ts'

export type PoolOptions = ConnectOptions & {
  connectionsMax?: number
  messagesPerConnectionMax?: number
  idleMs?: number
  waitingMax?: number
  waitingBytesMax?: number
  waitMs?: number
  /** How long `close` waits for messages under way. */
  closeMs?: number
  /** Shared by the pools of one host. */
  pace?: Pace
}

export type Pool = {
  /**
   * Hands over one message, as `Connection.transaction` does. If no connection can be opened, or `terms` no longer
   * allow the message to begin, the result has a failure with the phase.
   */
  send(envelope: Envelope, raw: Buffer, terms?: Terms): Promise<TransactionResult>
  counters(): { open: number; idle: number; waiting: number }
  /** Ends the connection that has been idle for longest, if there is one. */
  endOneIdle(): Promise<void>
  /** Accepts no further message, finishes those under way, and ends all connections with QUIT. */
  close(): Promise<void>
}

/**
 * Creates a pool of connections to one server, opened as needed and reused. Its timers do not keep the process alive.
 */
export function createPool(options: PoolOptions): Pool {
  const { connectionsMax = 10, messagesPerConnectionMax = 1000, idleMs = 10_000, closeMs = 10_000 } = options
  const { waitingMax = 10_000, waitingBytesMax = 268_435_456, waitMs = 60_000, pace = createPace() } = options
  const waiting = createBoundedQueue<Job>({ countMax: waitingMax, bytesMax: waitingBytesMax, waitMs })
  const attempts = createAttempts(waiting.mark)
  const members = createMembers({
    messagesMax: messagesPerConnectionMax,
    idleMs,
    pace,
    takeNext,
    onChange: pump,
    mayRepeat: (job) => !closing && job.mayBegin(),
    repeat: (job) => void open(job),
    giveBack(job) {
      const hasOther = members.idleCount() > 0 || members.count() < connectionsMax
      if (closing || !hasOther || !enqueue(job)) return false
      job.carrier = null
      pump()
      return true
    },
  })
  let closing = false
  let closed = false
  let finished = () => {}

  /** Returns false if too much waits. */
  function enqueue(job: Job): boolean {
    const late = `no connection became free within ${waitMs / 1000} s`
    return waiting.add(job, job.raw.length, () => fail(job, queueFailure(late)))
  }

  function pump() {
    members.runIdle()
    const wanted = Math.min(connectionsMax - members.count(), waiting.count) - attempts.count()
    const mayGrow = attempts.mayBegin(members.count() > 0)
    for (let started = 0; mayGrow && started < wanted; started++) void open(null)
    if (closing && waiting.count === 0 && attempts.count() === 0 && members.idleCount() === members.count()) finished()
  }

  /** Takes the message that has waited longest. Fails those before it that may no longer begin. */
  function takeNext(): Job | null {
    for (let job = waiting.take(); job; job = waiting.take()) {
      if (job.mayBegin()) return job
      fail(job, queueFailure(lateMessage))
    }
    return null
  }

  /** Opens one connection, for `job` or for the message that has then waited longest. */
  async function open(job: Job | null) {
    const attempt = attempts.begin()
    try {
      const connection = await connect({ ...options, hasPipelining: !pace.isSlow })
      attempts.end(attempt)
      if (closed) connection.destroy()
      else members.join(connection, job?.mayBegin() ? job : takeNext())
      if (job && !job.mayBegin()) fail(job, queueFailure(lateMessage))
      if (closed && job) fail(job, queueFailure(closedMessage))
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error
      attempts.end(attempt)
      if (job) fail(job, error)
      if (members.count() > 0) attempts.hold(pump)
      else failThoseBefore(attempts.fail(attempt), error)
    }
    pump()
  }

  function failThoseBefore(mark: number, failure: Failure) {
    for (let job = waiting.take(mark); job; job = waiting.take(mark)) fail(job, failure)
  }

  return {
    send: (envelope, raw, terms = {}) =>
      new Promise((resolve) => {
        const job = jobOf({ envelope, raw }, terms, resolve)
        if (closing) fail(job, queueFailure(closedMessage))
        else if (enqueue(job)) pump()
        else fail(job, queueFailure(`${waiting.count} messages already wait for a connection`))
      }),
    counters: () => ({ open: members.count(), idle: members.idleCount(), waiting: waiting.count }),
    endOneIdle: members.endOneIdle,
    async close() {
      closing = true
      await new Promise<void>((resolve) => {
        finished = resolve
        setTimeout(resolve, closeMs).unref()
        pump()
      })
      closed = true
      failThoseBefore(waiting.mark(), queueFailure(closedMessage))
      await members.endIdle()
      members.destroy()
    },
  }
}

const closedMessage = 'the connections are being closed'
