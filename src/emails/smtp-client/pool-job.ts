import type { Terms } from '../provider.ts'
import type { Connection } from './connection.ts'
import type { Envelope } from './envelope.ts'
import type { Failure } from './failure.ts'
import type { TransactionResult } from './transaction.ts'

/** A message given to the pool. */
export type Job = {
  envelope: Envelope
  raw: Buffer
  settle(result: TransactionResult): void
  mayBegin(): boolean
  sevenBit: Terms['sevenBit']
  /** The connection that carries the message; null while it waits. */
  carrier: Connection | null
  retried: boolean
}
/** Runs a transaction. It begins at once, unless the message must first be converted for a server without 8BITMIME. */
export function transactionOf(connection: Connection, { envelope, raw, sevenBit }: Job): Promise<TransactionResult> {
  if (!sevenBit || connection.extensions.eightBitMime) return connection.transaction(envelope, raw)
  return sevenBit().then((plain) => connection.transaction(envelope, plain))
}

/** Returns the failure of a message that got no connection. */
export function queueFailure(message: string): Failure {
  return { phase: 'queue', message, reply: null }
}

export function fail(job: Job, { phase, message, reply }: Failure) {
  const recipients = job.envelope.to.map((address) => ({ address, reply: null }))
  job.settle({ mail: null, recipients, data: null, failure: { phase, message, reply } })
}
