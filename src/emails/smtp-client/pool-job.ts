import type { Terms } from '../provider.ts'
import type { Connection } from './connection.ts'
import type { Envelope } from './envelope.ts'
import type { Failure } from './failure.ts'
import { isSessionError } from './reply.ts'
import type { TransactionResult } from './transaction.ts'

/** A message given to the pool. */
export type Job = {
  envelope: Envelope
  raw: Buffer
  settle(result: TransactionResult): void
  mayBegin(): boolean
  encodedFor: Terms['encodedFor']
  /** The connection that carries the message; null while it waits. */
  carrier: Carrier | null
  /** True once `giveUpAt` has passed. */
  isGivenUp(): boolean
  /** The reasons for which it was sent again over a new connection, each at most once. */
  repeats: Repeat[]
}

/** `isBehind`: an earlier message on the connection has no final reply yet. */
type Carrier = { isBehind(job: Job): boolean; destroy(): void }

/** Makes the job of a message, which fails at `giveUpAt`. `settle` is given the result once. */
export function jobOf(
  message: Pick<Job, 'envelope' | 'raw'>,
  { mayBegin = () => true, giveUpAt, encodedFor }: Terms,
  settle: (result: TransactionResult) => void,
): Job {
  let isOver = false
  let isSettled = false
  const giveUp = () => {
    isOver = true
    // An earlier message on the connection may have arrived, and closing it would lose the reply. The server cannot
    // have the text of this message yet.
    if (job.carrier && !job.carrier.isBehind(job)) job.carrier.destroy()
    else fail(job, queueFailure(lateMessage))
  }
  const timer = giveUpAt && setTimeout(giveUp, Math.max(0, giveUpAt - performance.now())).unref()
  const job: Job = {
    ...message,
    settle(result) {
      clearTimeout(timer)
      if (!isSettled) settle(result)
      isSettled = true
    },
    isGivenUp: () => isOver,
    mayBegin: () => !isOver && mayBegin(),
    encodedFor,
    carrier: null,
    repeats: [],
  }
  return job
}

export const lateMessage = 'it waited too long for a connection'

type Repeat = 'at once' | 'slowly'

/** `isAlone`: it was the first on its connection, and each command waited for its answer. */
type Carried = { reused: boolean; isAlone: boolean }

/**
 * Tells whether a message is sent again over a new connection, and notes that. `at once`: the server had just ended the
 * idle connection, and did not accept MAIL. `slowly`: it did not follow the session, so each command waits for its
 * answer.
 */
export function repeatOf(job: Job, result: TransactionResult, { reused, isAlone }: Carried): Repeat | null {
  const { failure } = result
  const isLost = reused && failure?.phase === 'mail'
  const repeat = !isAlone && isOutOfStep(result) ? 'slowly' : isLost ? 'at once' : null
  if (!repeat || job.repeats.includes(repeat)) return null
  job.repeats.push(repeat)
  return repeat
}

/** False if the answer to the message was lost, since the server may have it. */
function isOutOfStep({ failure, data }: TransactionResult): boolean {
  const reply = failure ? failure.reply : data
  return failure?.phase !== 'final' && reply !== null && isSessionError(reply)
}

/**
 * Runs a transaction. It begins at once, unless the message must first be encoded for the server. The text is not sent
 * if `isOver` by then.
 */
export function transactionOf(
  connection: Connection,
  { envelope, raw, encodedFor }: Job,
  isOver: () => boolean,
): Promise<TransactionResult> {
  const encoded = encodedFor?.(connection.extensions)
  return encoded
    ? encoded.then((other) => connection.transaction(envelope, other, isOver))
    : connection.transaction(envelope, raw, isOver)
}

/** Returns the failure of a message that got no connection. */
export function queueFailure(message: string): Failure {
  return { phase: 'queue', message, reply: null }
}

export function fail(job: Job, { phase, message, reply }: Failure) {
  const recipients = job.envelope.to.map((address) => ({ address, reply: null }))
  job.settle({ mail: null, recipients, data: null, failure: { phase, message, reply } })
}
