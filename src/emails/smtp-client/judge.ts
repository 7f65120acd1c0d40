import { blamesAddress } from './blame.ts'
import { formatReply, isPermanent, isPositive, isTooManyRecipients, type Reply } from './reply.ts'
import type { TransactionResult } from './transaction.ts'

/**
 * A refused recipient. `permanent`: a repeat of the message is refused too. `blamed`: the address is the reason.
 * `status`: the reply's enhanced code, or what it amounts to.
 */
export type Refused = { address: string; reply: Reply; status: string; permanent: boolean; blamed: boolean }

/** The outcome of a transaction. */
export type Verdict =
  | { kind: 'answered'; accepted: string[]; refused: Refused[]; response: string }
  /** No recipient has the message, and it may be tried again. `reply` is the server's, if there is one. */
  | { kind: 'unavailable'; message: string; reply: Reply | null }
  /** The recipients of `lost` may have the message. Those of `refused` were refused before it was sent. */
  | { kind: 'unknown'; message: string; lost: string[]; refused: Refused[] }

/**
 * Decides the outcome of a transaction. If no recipient was accepted and at least one was refused temporarily, the
 * outcome is `unavailable`, so that a repeat may reach that one. Once one recipient has the message, a repeat goes only
 * to those that were refused temporarily.
 */
export function judgeTransaction({ mail, recipients, data, failure }: TransactionResult): Verdict {
  if (failure?.phase === 'final') {
    const { taken, refused } = repliesTo({ mail, recipients, data })
    return { kind: 'unknown', message: failure.message, lost: taken, refused }
  }
  if (failure) {
    return { kind: 'unavailable', message: failure.message, reply: failure.reply ?? reasonBefore({ mail, recipients }) }
  }
  const { whole, each } = answersOf({ mail, recipients, data })
  if (whole && isPositive(whole)) {
    const { taken, refused } = repliesTo({ mail, recipients, data })
    return { kind: 'answered', accepted: taken, refused, response: formatReply(whole) }
  }
  const later = whole ? [whole] : each.map(({ reply }) => reply)
  const forNow = later.find((reply) => !isPermanent(reply))
  if (forNow) {
    const message = `the server refused the message for now: ${formatReply(forNow)}`
    return { kind: 'unavailable', message, reply: forNow }
  }
  const refused = each.map((one) => refusedBy(one, whole))
  return { kind: 'answered', accepted: [], refused, response: formatReply(later.at(-1)!) }
}

/** Returns the temporary refusal after which a server closed the connection. It says more than the loss. */
export function reasonBefore({ mail, recipients }: Pick<TransactionResult, 'mail' | 'recipients'>): Reply | null {
  const replies = [mail, ...recipients.map(({ reply }) => reply)]
  return replies.findLast((reply) => reply && reply.code >= 400 && reply.code < 500) ?? null
}

/** The outcome of a completed transaction for one recipient. `refused` is null if the recipient has the message. */
export type Answer = { address: string; reply: Reply; refused: Refused | null }

/**
 * Returns each recipient's outcome, for callers that repeat a message for some. Takes only results without a failure.
 */
export function judgeEach(result: Omit<TransactionResult, 'failure'>): Answer[] {
  const { whole, each } = answersOf(result)
  const taken = whole !== null && isPositive(whole)
  return each.map(({ address, reply }) => {
    if (taken && isPositive(reply)) return { address, reply: whole, refused: null }
    const refused = refusedBy({ address, reply }, taken ? null : whole)
    return { address, reply: refused.reply, refused }
  })
}

/** Returns the recipients for whom a transaction had no room beside those that it took. */
export function leftOver({ recipients, data }: Pick<TransactionResult, 'recipients' | 'data'>): string[] {
  if (!data || !isPositive(data)) return []
  return recipients.flatMap(({ address, reply }) => (reply && isTooManyRecipients(reply) ? address : []))
}

/** Returns the reply to the message as a whole, and the reply to each recipient. */
function answersOf({ mail, recipients, data }: Omit<TransactionResult, 'failure'>) {
  const whole = mail && !isPositive(mail) ? mail : data
  return { whole, each: recipients.map(({ address, reply }) => ({ address, reply: reply ?? mail! })) }
}

/** Returns the recipients whose RCPT was accepted, and those whose RCPT was refused. */
function repliesTo(result: Omit<TransactionResult, 'failure'>): { taken: string[]; refused: Refused[] } {
  const { each } = answersOf(result)
  const taken = each.filter(({ reply }) => isPositive(reply)).map(({ address }) => address)
  const refused = each.filter(({ reply }) => !isPositive(reply)).map((one) => refusedBy(one, null))
  return { taken, refused }
}

/** `whole`, the refusal of the whole message, applies to the recipients that were not refused themselves. */
function refusedBy({ address, reply }: { address: string; reply: Reply }, whole: Reply | null): Refused {
  const own = whole && isPositive(reply) ? whole : reply
  const permanent = isPermanent(own)
  const blamed = permanent && own !== whole && blamesAddress(own.enhanced ?? '5.0.0', `smtp; ${formatReply(own)}`)
  return { address, reply: own, status: statusOf(own, permanent, own === whole), permanent, blamed }
}

/**
 * 552 is a lack of space (RFC 5321 4.2.3): the message is too large (RFC 1870 6), or the recipient's mailbox is full.
 */
function statusOf({ code, enhanced }: Reply, permanent: boolean, isWhole: boolean): string {
  if (enhanced !== null) return enhanced
  if (!permanent) return '4.0.0'
  if (code === 552) return isWhole ? '5.3.4' : '5.2.2'
  return '5.0.0'
}
