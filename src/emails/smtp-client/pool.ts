import { createBoundedQueue } from '../../platform/limits/bounded-queue.ts'
import type { Terms } from '../provider.ts'
import { type ConnectOptions, connect } from './connect.ts'
import type { Connection } from './connection.ts'
import type { Envelope } from './envelope.ts'
import { type Failure, SmtpFailure } from './failure.ts'
import { createPace, type Pace } from './pace.ts'
import { fail, type Job, queueFailure, repeatOf, transactionOf } from './pool-job.ts'
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
  /** Accepts no further message, finishes those under way, and ends all connections with QUIT. */
  close(): Promise<void>
}

type Member = { connection: Connection; messages: number; underWay: number; idleTimer: NodeJS.Timeout }

/** The wait before another connection is tried, if one failed while others work. */
const growAgainAfterMs = 1000

/**
 * Creates a pool of connections to one server, opened as needed and reused. Its timers do not keep the process alive.
 */
export function createPool(options: PoolOptions): Pool {
  const { connectionsMax = 10, messagesPerConnectionMax = 1000, idleMs = 10_000, closeMs = 10_000 } = options
  const { waitingMax = 10_000, waitingBytesMax = 268_435_456, waitMs = 60_000, pace = createPace() } = options
  const waiting = createBoundedQueue<Job>({ countMax: waitingMax, bytesMax: waitingBytesMax, waitMs })
  const members = new Set<Member>()
  /** A stack: the last used connection is taken first, so that surplus ones stay idle and end. */
  const idle: Member[] = []
  /** The queue's `mark` at the beginning of each connection attempt under way. */
  const attempts = new Set<{ mark: number }>()
  let failedMark = 0
  let growthHeld = false
  let closing = false
  let closed = false
  let finished = () => {}

  function pump() {
    while (idle.length > 0) {
      const job = takeNext()
      if (!job) break
      run(idle.pop()!, job)
    }
    const wanted = Math.min(connectionsMax - members.size, waiting.count) - attempts.size
    // Without any connection, a message that already had an attempt waits until those under way have ended.
    const mayGrow = members.size > 0 ? !growthHeld : attempts.size === 0 || waiting.mark() > failedMark
    for (let started = 0; mayGrow && started < wanted; started++) void open(null)
    if (closing && waiting.count === 0 && attempts.size === 0 && idle.length === members.size) finished()
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
    const attempt = { mark: waiting.mark() }
    attempts.add(attempt)
    try {
      const connection = await connect({ ...options, hasPipelining: !pace.isSlow })
      attempts.delete(attempt)
      if (closed) connection.destroy()
      else join(connection, job?.mayBegin() ? job : takeNext())
      if (job && !job.mayBegin()) fail(job, queueFailure(lateMessage))
      if (closed && job) fail(job, queueFailure(closedMessage))
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error
      attempts.delete(attempt)
      if (job) fail(job, error)
      if (members.size === 0) failThoseWhoHadTheirs(attempt.mark, error)
      else holdGrowth()
    }
    pump()
  }

  /**
   * Without any connection, fails the messages that waited when the failed attempt began, once no earlier attempt is
   * under way; later messages get another attempt. A server that accepts only five of ten connections thus fails no
   * message, and one that cannot be reached fails all after one timeout.
   */
  function failThoseWhoHadTheirs(mark: number, failure: Failure) {
    failedMark = Math.max(failedMark, mark)
    for (const attempt of attempts) if (attempt.mark <= failedMark) return
    failThoseBefore(failedMark, failure)
  }

  function failThoseBefore(mark: number, failure: Failure) {
    for (let job = waiting.take(mark); job; job = waiting.take(mark)) fail(job, failure)
  }

  function holdGrowth() {
    if (growthHeld) return
    growthHeld = true
    const release = () => {
      growthHeld = false
      pump()
    }
    setTimeout(release, growAgainAfterMs).unref()
  }

  function join(connection: Connection, job: Job | null) {
    const member: Member = { connection, messages: 0, underWay: 0, idleTimer: setTimeout(rest, idleMs).unref() }
    function rest() {
      if (idle.includes(member)) void retire(member)
    }
    members.add(member)
    connection.watch({
      room() {
        const next = mayServe(member) ? takeNext() : null
        if (next) run(member, next)
      },
      lost() {
        leave(member)
        queueMicrotask(pump)
      },
    })
    if (job) run(member, job)
    else settleDown(member)
  }

  function leave(member: Member) {
    clearTimeout(member.idleTimer)
    members.delete(member)
    const at = idle.indexOf(member)
    if (at !== -1) idle.splice(at, 1)
  }

  function run(member: Member, job: Job) {
    const reused = member.messages > 0
    member.messages++
    member.underWay++
    job.carrier = member.connection
    void transactionOf(member.connection, job).then((result) => {
      member.underWay--
      job.carrier = null
      const isAlone = !reused && !member.connection.extensions.pipelining
      const repeat = closing || !job.mayBegin() ? null : repeatOf(job, result, { reused, isAlone })
      if (repeat === 'slowly') slowDown()
      if (repeat) void open(job)
      else job.settle(result)
      if (member.underWay === 0 && members.has(member)) settleDown(member)
    })
  }

  /** Lets each command wait for its answer from now on, and ends the connections that do not. */
  function slowDown() {
    pace.slowDown()
    for (const member of [...idle]) if (!mayServe(member)) void retire(member)
  }

  function mayServe({ connection, messages }: Member): boolean {
    return messages < messagesPerConnectionMax && !(pace.isSlow && connection.extensions.pipelining)
  }

  function settleDown(member: Member) {
    if (!member.connection.alive) return leave(member)
    if (!mayServe(member)) return void retire(member)
    idle.push(member)
    member.idleTimer.refresh()
    pump()
  }

  /** Ends a connection. It counts as open until it is closed, because a server may limit its connections. */
  async function retire(member: Member) {
    const at = idle.indexOf(member)
    if (at !== -1) idle.splice(at, 1)
    await member.connection.quit()
    leave(member)
    pump()
  }

  return {
    send(envelope, raw, { mayBegin = () => true, giveUpAt, encodedFor }: Terms = {}) {
      return new Promise((resolve) => {
        let isOver = false
        const giveUp = () => {
          isOver = true
          if (job.carrier) job.carrier.destroy()
          else fail(job, queueFailure(lateMessage))
        }
        const timer = giveUpAt && setTimeout(giveUp, Math.max(0, giveUpAt - performance.now())).unref()
        const job: Job = {
          envelope,
          raw,
          settle(result) {
            clearTimeout(timer)
            resolve(result)
          },
          mayBegin: () => !isOver && mayBegin(),
          encodedFor,
          carrier: null,
          repeats: [],
        }
        const late = `no connection became free within ${waitMs / 1000} s`
        if (closing) fail(job, queueFailure(closedMessage))
        else if (!waiting.add(job, raw.length, () => fail(job, queueFailure(late)))) {
          fail(job, queueFailure(`${waiting.count} messages already wait for a connection`))
        } else pump()
      })
    },
    counters: () => ({ open: members.size, idle: idle.length, waiting: waiting.count }),
    async close() {
      closing = true
      await new Promise<void>((resolve) => {
        finished = resolve
        setTimeout(resolve, closeMs).unref()
        pump()
      })
      closed = true
      failThoseBefore(waiting.mark(), queueFailure(closedMessage))
      await Promise.all(idle.splice(0).map(retire))
      for (const member of members) member.connection.destroy()
    },
  }
}

const closedMessage = 'the connections are being closed'
const lateMessage = 'it waited too long for a connection'
