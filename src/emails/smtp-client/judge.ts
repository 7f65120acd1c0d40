import { blamesAddress } from './blame.ts'
import { formatReply, isPermanent, isPositive, type Reply } from './reply.ts'
import type { TransactionResult } from './transaction.ts'

/**
 * A recipient who was refused. `permanent`: this message never reaches it. `blamed`: the reason is the address.
 */
export type Refused = { address: string; reply: Reply; permanent: boolean; blamed: boolean }

/** What a transaction comes to. */
export type Verdict =
  | { kind: 'answered'; accepted: string[]; refused: Refused[]; response: string }
  /** Nobody has it and it may be tried again; `reply` where a server said so. */
  | { kind: 'unavailable'; message: string; reply: Reply | null }
  | { kind: 'unknown'; message: string }

/**
 * Refused for now by everybody is no answer, and neither is a mixture in which nobody has the message yet: a repeat may
 * still reach those who only said "later". Once somebody has it there is no repeat, and the others' answers stand.
 */
export function judgeTransaction({ mail, recipients, data, failure }: TransactionResult): Verdict {
  if (failure?.phase === 'final') return { kind: 'unknown', message: failure.message }
  if (failure) return { kind: 'unavailable', message: failure.message, reply: failure.reply }
  const { whole, each } = answersOf({ mail, recipients, data })
  if (whole && isPositive(whole)) {
    const refused = each.filter(({ reply }) => !isPositive(reply))
    const accepted = each.filter(({ reply }) => isPositive(reply)).map(({ address }) => address)
    return {
      kind: 'answered',
      accepted,
      refused: refused.map((one) => refusedBy(one, null)),
      response: formatReply(whole),
    }
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

/** What a transaction that came to its end means for one recipient; `refused` null: it has the message. */
export type Answer = { address: string; reply: Reply; refused: Refused | null }

/** For who can repeat a message for some of its recipients: each one's own answer. Only for results without a failure. */
export function judgeEach(result: Omit<TransactionResult, 'failure'>): Answer[] {
  const { whole, each } = answersOf(result)
  const taken = whole !== null && isPositive(whole)
  return each.map(({ address, reply }) => {
    if (taken && isPositive(reply)) return { address, reply: whole, refused: null }
    const refused = refusedBy({ address, reply }, taken ? null : whole)
    return { address, reply: refused.reply, refused }
  })
}

/** What was said of the message as a whole, and of each recipient. */
function answersOf({ mail, recipients, data }: Omit<TransactionResult, 'failure'>) {
  const whole = mail && !isPositive(mail) ? mail : data
  return { whole, each: recipients.map(({ address, reply }) => ({ address, reply: reply ?? mail! })) }
}

/** `whole`: what was said of the message as a whole, which holds for all whom nothing else was said of. */
function refusedBy({ address, reply }: { address: string; reply: Reply }, whole: Reply | null): Refused {
  const own = whole && isPositive(reply) ? whole : reply
  const permanent = isPermanent(own)
  const blamed = permanent && own !== whole && blamesAddress(own.enhanced ?? '5.0.0', `smtp; ${own.code}`)
  return { address, reply: own, permanent, blamed }
}
