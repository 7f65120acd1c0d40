import type { Connection } from './connection.ts'
import type { Pace } from './pace.ts'
import { type Job, repeatOf, transactionOf } from './pool-job.ts'
import type { TransactionResult } from './transaction.ts'

/** `underWay`: the messages without a final reply, in their order. */
type Member = { connection: Connection; messages: number; underWay: Turn[]; idleTimer: NodeJS.Timeout }

/** A message on a connection. `isWithdrawn`: it left for another one, and its text must not be sent here. */
type Turn = { job: Job; isWithdrawn: boolean; behindTimer: NodeJS.Timeout | undefined }

const isOver = ({ isWithdrawn, job }: Turn) => isWithdrawn || job.isGivenUp()

/** How long a message waits for the reply to the one before it while another connection could carry it. */
const behindMs = 5000

type PoolParts = {
  messagesMax: number
  idleMs: number
  pace: Pace
  takeNext(): Job | null
  mayRepeat(job: Job): boolean
  /** Sends a message again over a new connection. */
  repeat(job: Job): void
  /** Gives a message back to those that wait. Returns false if no other connection could carry it soon. */
  giveBack(job: Job): boolean
  /** Called when a connection became idle or ended. */
  onChange(): void
}

/** Creates the set of a pool's open connections, which carry its messages. */
export function createMembers(parts: PoolParts) {
  const { messagesMax, idleMs, pace, takeNext, mayRepeat, repeat, giveBack, onChange } = parts
  const members = new Set<Member>()
  /** A stack: the last used connection is taken first, so that surplus ones stay idle and end. */
  const idle: Member[] = []

  /** Adds a connection, with its first message if there is one. */
  function join(connection: Connection, job: Job | null) {
    const member: Member = { connection, messages: 0, underWay: [], idleTimer: setTimeout(rest, idleMs).unref() }
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
        queueMicrotask(onChange)
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
    const turn: Turn = { job, isWithdrawn: false, behindTimer: undefined }
    if (member.underWay.length > 0) turn.behindTimer = setInterval(() => withdraw(turn), behindMs).unref()
    member.underWay.push(turn)
    job.carrier = { isBehind: () => member.underWay[0] !== turn, destroy: () => member.connection.destroy() }
    void transactionOf(member.connection, job, () => isOver(turn)).then((result) => {
      clearInterval(turn.behindTimer)
      member.underWay.splice(member.underWay.indexOf(turn), 1)
      const next = member.underWay[0]
      clearInterval(next?.behindTimer)
      // The next message left while this one's reply was awaited. Closing the connection now loses no reply.
      if (next && isOver(next)) member.connection.destroy()
      if (!turn.isWithdrawn) end(job, result, reused, member)
      if (member.underWay.length === 0 && members.has(member)) settleDown(member)
    })
  }

  function end(job: Job, result: TransactionResult, reused: boolean, { connection }: Member) {
    job.carrier = null
    const isAlone = !reused && !connection.extensions.pipelining
    const again = mayRepeat(job) ? repeatOf(job, result, { reused, isAlone }) : null
    if (again === 'slowly') slowDown()
    if (again) repeat(job)
    else job.settle(result)
  }

  /** Lets a message that waits behind another go over another connection. */
  function withdraw(turn: Turn) {
    turn.isWithdrawn = turn.job.mayBegin() && giveBack(turn.job)
    if (turn.isWithdrawn) clearInterval(turn.behindTimer)
  }

  /** Lets each command wait for its answer from now on, and ends the connections that do not. */
  function slowDown() {
    pace.slowDown()
    for (const member of [...idle]) if (!mayServe(member)) void retire(member)
  }

  function mayServe({ connection, messages }: Member): boolean {
    return messages < messagesMax && !(pace.isSlow && connection.extensions.pipelining)
  }

  function settleDown(member: Member) {
    if (!member.connection.alive) return leave(member)
    if (!mayServe(member)) return void retire(member)
    idle.push(member)
    member.idleTimer.refresh()
    onChange()
  }

  /** Ends a connection. It counts as open until it is closed, because a server may limit its connections. */
  async function retire(member: Member) {
    const at = idle.indexOf(member)
    if (at !== -1) idle.splice(at, 1)
    await member.connection.quit()
    leave(member)
    onChange()
  }

  return {
    count: () => members.size,
    idleCount: () => idle.length,
    join,
    /** Gives waiting messages to idle connections. */
    runIdle() {
      while (idle.length > 0) {
        const job = takeNext()
        if (!job) return
        run(idle.pop()!, job)
      }
    },
    /** Ends the connection that has been idle for longest. */
    async endOneIdle() {
      const [longest] = idle
      if (longest) await retire(longest)
    },
    endIdle: () => Promise.all(idle.splice(0).map(retire)),
    destroy() {
      for (const member of members) member.connection.destroy()
    },
  }
}
