import { formatReply, isPermanent, isPositive, type Reply } from './reply.ts'
import type { TransactionResult } from './transaction.ts'

/**
 * A recipient who was refused. `permanent`: this message never reaches it. `blamed`: the reason is the address, and not
 * the message, the sender or a policy (RFC 3463: subjects 3, 5, 6 and 7).
 */
export type Refused = { address: string; reply: Reply; permanent: boolean; blamed: boolean }

/** What a transaction comes to. */
export type Verdict =
  | { kind: 'answered'; accepted: string[]; refused: Refused[]; response: string }
  /** Nobody has it and it may be tried again. */
  | { kind: 'unavailable'; message: string }
  | { kind: 'unknown'; message: string }

/**
 * Refused for now by everybody is no answer, and neither is a mixture in which nobody has the message yet: a repeat may
 * still reach those who only said "later". Once somebody has it there is no repeat, and the others' answers stand.
 */
export function judge({ mail, recipients, data, failure }: TransactionResult): Verdict {
  if (failure) return { kind: failure.phase === 'final' ? 'unknown' : 'unavailable', message: failure.message }
  const whole = mail && !isPositive(mail) ? mail : data
  const each = recipients.map(({ address, reply }) => ({ address, reply: reply ?? mail! }))
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
  if (forNow) return { kind: 'unavailable', message: `the server refused the message for now: ${formatReply(forNow)}` }
  const refused = each.map((one) => refusedBy(one, whole))
  return { kind: 'answered', accepted: [], refused, response: formatReply(later.at(-1)!) }
}

/** `whole`: what was said of the message as a whole, which holds for all whom nothing else was said of. */
function refusedBy({ address, reply }: { address: string; reply: Reply }, whole: Reply | null): Refused {
  const own = whole && isPositive(reply) ? whole : reply
  const permanent = isPermanent(own)
  const blamed = permanent && own !== whole && !/^5\.[3567]\./.test(own.enhanced ?? '')
  return { address, reply: own, permanent, blamed }
}
