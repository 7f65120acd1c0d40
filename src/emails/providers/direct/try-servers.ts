import type { OutboundMessage, RecipientOutcome, Route } from '../../provider.ts'
import type { Envelope } from '../../smtp-client/envelope.ts'
import { type Failure, failedAt } from '../../smtp-client/failure.ts'
import { type Answer, judgeEach, leftOver, reasonBefore } from '../../smtp-client/judge.ts'
import { formatReply, isPositive, type Reply } from '../../smtp-client/reply.ts'
import type { TransactionResult } from '../../smtp-client/transaction.ts'
import type { Choice } from './choose-server.ts'
import { describeFailure } from './describe-failure.ts'
import type { Candidate } from './find-hosts.ts'
import type { Server } from './server.ts'

/** Servers of one domain that one attempt tries. */
const triesMax = 6

type Taken = Extract<Choice, { kind: 'taken' }>

/**
 * Makes one attempt. It begins at the server with the taken place, and goes on to the next only if a connection fails.
 */
export function tryServers(
  first: Taken,
  serverAt: (address: string) => Server,
): Pick<Extract<Route, { kind: 'open' }>, 'deliver' | 'end'> {
  let { candidate, server } = first
  let leavePlace: (() => void) | null = first.leave

  function leave() {
    leavePlace?.()
    leavePlace = null
  }

  /** Takes a place at the next server that has a free one. False if none has. */
  function goOn(rest: Candidate[]): boolean {
    leave()
    for (let next = rest.shift(); next; next = rest.shift()) {
      const there = serverAt(next.address)
      const place = there.takePlace()
      if (place.kind !== 'taken') continue
      candidate = next
      server = there
      leavePlace = place.leave
      return true
    }
    return false
  }

  return {
    end: leave,
    async deliver(message) {
      const rest = [...first.rest]
      const envelopes = envelopesOf(message)
      const outcomes: RecipientOutcome[] = []
      let reason: Reason | null = null
      for (let tries = 1; envelopes.length > 0; ) {
        const result = await server.send(candidate.name, envelopes[0]!, message)
        const { failure } = result
        if (!failure || failure.phase === 'final') {
          const left = leftOver(result)
          outcomes.push(...outcomesOf(result, candidate).filter(({ recipient }) => !left.includes(recipient)))
          const { from } = envelopes.shift()!
          if (left.length > 0) envelopes.unshift({ from, to: left })
          reason = null
        }
        if (!failure) continue
        reason = moreTelling(reason, { candidate, failure, before: reasonBefore(result) })
        // A server that loses one answer may lose the next, so the other recipients are tried again later.
        if (failure.phase !== 'final' && tries++ < triesMax && goOn(rest)) continue
        const { candidate: at, failure: told, before } = reason
        return [...outcomes, ...envelopes.flatMap(({ to }) => to.map((one) => deferred(one, at, told, before)))]
      }
      return outcomes
    },
  }
}

/** `before`: what the server said before it closed the connection. */
type Reason = { candidate: Candidate; failure: Failure; before: Reply | null }

const phases = Object.keys(failedAt)

/**
 * Returns the reason that a reader learns more from: one in a server's own words, or else the failure that came later
 * in its session. An address that this installation has no route to, such as IPv6, says nothing about the host.
 */
function moreTelling(one: Reason | null, other: Reason): Reason {
  return one && weightOf(one) >= weightOf(other) ? one : other
}

function weightOf({ failure, before }: Reason): number {
  const hasReply = failure.reply !== null || before !== null
  return phases.indexOf(failure.phase) + (hasReply ? phases.length : 0)
}

/** Makes one envelope for all recipients, or one for each. They are sent one after the other. */
function envelopesOf({ envelope: { from, to, senders } }: OutboundMessage): Envelope[] {
  return senders ? to.map((one, index) => ({ from: senders[index]!, to: [one] })) : [{ from, to }]
}

/**
 * Returns the outcome for each recipient. If the final answer was lost, all recipients not refused before are `lost`.
 */
function outcomesOf(result: TransactionResult, candidate: Candidate): RecipientOutcome[] {
  const { failure, mail } = result
  if (!failure) return judgeEach(result).map((answer) => outcomeOf(answer, candidate))
  const isOpen = ({ reply }: { reply: TransactionResult['data'] }) => reply !== null && isPositive(reply)
  const lost = result.recipients.filter(isOpen)
  const others = result.recipients.filter((recipient) => !isOpen(recipient))
  return [
    ...lost.map(({ address }) => ({ ...deferred(address, candidate, failure), result: 'lost' as const })),
    ...judgeEach({ mail, recipients: others, data: null }).map((answer) => outcomeOf(answer, candidate)),
  ]
}

function outcomeOf({ address, reply, refused }: Answer, candidate: Candidate): RecipientOutcome {
  const result = refused === null ? 'delivered' : refused.permanent ? 'refused' : 'deferred'
  const status = refused?.status ?? reply.enhanced ?? '2.0.0'
  const diagnosis = { status, diagnosticCode: `smtp; ${formatReply(reply)}` }
  return { recipient: address, result, blamed: refused?.blamed ?? false, diagnosis, peer: peerOf(candidate) }
}

/** `before`: what the server said before it closed the connection. */
function deferred(
  recipient: string,
  candidate: Candidate,
  failure: Failure,
  before: Reply | null = null,
): RecipientOutcome {
  const reply = failure.reply === null ? before : null
  const diagnosis = reply
    ? { status: reply.enhanced ?? '4.0.0', diagnosticCode: `smtp; ${formatReply(reply)}` }
    : describeFailure(candidate, failure)
  return { recipient, result: 'deferred', blamed: false, diagnosis, peer: peerOf(candidate) }
}

function peerOf({ name, address }: Candidate) {
  return { remoteMta: name, remoteMtaIp: address }
}
