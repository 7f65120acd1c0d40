import type { LookupFunction } from 'node:net'
import { bounceNotification } from '../notification.ts'
import {
  type DeliveryFact,
  defineEmailProvider,
  type EmailAnswer,
  type OutboundMessage,
  type RecipientOutcome,
  type Terms,
  unreachableFor,
  type WholeProvider,
} from '../provider.ts'
import { type Failure, failedAt } from '../smtp-client/failure.ts'
import { judgeTransaction, leftOver, type Refused, type Verdict } from '../smtp-client/judge.ts'
import { createPool, type Pool, type PoolOptions } from '../smtp-client/pool.ts'
import { formatReply, isSessionError, type Reply } from '../smtp-client/reply.ts'
import { sendToAll } from './further-transactions.ts'
import { localNameOf } from './local-name.ts'
import { openRecipient, sendOneByOne, type TransactionAnswer } from './one-by-one.ts'
import { readRelayUrl, relayUrl } from './smtp/relay-url.ts'
import { spfMechanisms } from './smtp/spf-mechanisms.ts'

export const smtp = defineEmailProvider({
  name: 'smtp',
  about: 'Relays all mail through one SMTP server.',
  settings: {
    relayUrl: {
      variable: 'SMTP_RELAY_URL',
      kind: relayUrl,
      required: true,
      about:
        'The relay. A password is never sent to another machine without TLS. `?tls=required` insists on TLS without a password too, `?tls=none` uses none, and `?verify=off` accepts any certificate.',
    },
    relaySpf: {
      variable: 'SMTP_RELAY_SPF',
      kind: spfMechanisms,
      unset: 'not required of domains',
      about: "The relay's sending addresses, which the SPF records of domains then name.",
    },
  },
  routes: [],
  create: ({ relayUrl, relaySpf }, { config, log, names: { lookup } }) =>
    smtpProvider({ url: relayUrl, spf: relaySpf, localName: localNameOf(config), log, lookup }),
})

export type SmtpProviderOptions = {
  /** A URL in the form that `readRelayUrl` reads. */
  url: string
  /** The SPF mechanisms of the relay. */
  spf?: string | null
  /** The name of this host for EHLO. */
  localName: string
  /** Replaces the system's name lookup. */
  lookup?: LookupFunction
  log?: { warn(details: Record<string, unknown>, message: string): void }
  /** Replaces limits of the connection pool. */
  pool?: Partial<Pick<PoolOptions, 'connectionsMax' | 'idleMs' | 'timeouts' | 'closeMs' | 'ca'>>
}

type SmtpProvider = WholeProvider & { counters: Pool['counters'] }

/** Relays all mail through one server, over a pool of connections. Throws for a bad URL. */
export function smtpProvider({
  url,
  spf = null,
  localName,
  lookup,
  log,
  pool: bounds,
}: SmtpProviderOptions): SmtpProvider {
  const relay = readRelayUrl(url)
  if (typeof relay === 'string') throw new Error(relay)
  const name = `${relay.host}:${relay.port}`
  const pool = createPool({ ...relay, localName, ...(lookup && { lookup }), ...bounds })
  let reachable = true

  /** Logs one line when the relay begins to fail, instead of one for each message. */
  function note(verdict: Verdict, failure: Failure | null) {
    const reason = reasonOf(verdict)
    if (reason !== null && reachable) {
      const phase = failure?.phase ?? 'answer'
      log?.warn({ relay: name, phase, reason }, 'the relay fails')
    }
    reachable = reason === null
  }

  async function hand(message: OutboundMessage): Promise<TransactionAnswer & { left: string[] }> {
    const result = await pool.send(message.envelope, message.raw, termsOf(message))
    const verdict = judgeTransaction(result)
    const { failure } = result
    note(verdict, failure)
    return { answer: answerOf(message, verdict, failure), isCut: failure !== null, left: leftOver(result) }
  }

  return {
    name: 'smtp',
    signs: false,
    usesReturnAddress: true,
    returnPathDns: () => ({ spf }),
    counters: pool.counters,
    send(message) {
      const { senders } = message.envelope
      return senders ? sendOneByOne(message, senders, hand) : sendToAll(message, hand)
    },
    close: () => pool.close(),
  }
}

/**
 * Says how the relay fails; null if it does not. It fails too if a recipient was refused by an error of the session.
 */
function reasonOf(verdict: Verdict): string | null {
  if (verdict.kind !== 'answered') return verdict.message
  const error = verdict.refused.find(({ reply }) => isSessionError(reply))
  return error ? `the server does not follow the session: ${formatReply(error.reply)}` : null
}

function termsOf({ terms, encodedFor }: OutboundMessage): Terms {
  return { ...terms, ...(encodedFor && { encodedFor }) }
}

/**
 * Events quote the relay's words about a message or a recipient. If the relay itself is at fault, callers and events
 * get its code only, and the log names it and quotes its words.
 */
function answerOf(message: OutboundMessage, verdict: Verdict, failure: Failure | null): EmailAnswer {
  if (verdict.kind === 'unknown') {
    const lost = 'The connection to the mail relay was lost after the message and before its answer.'
    return answerOfLost(message, verdict, { kind: 'unknown', message: lost })
  }
  if (verdict.kind === 'unavailable') {
    const what = failure ? failedAt[failure.phase] : 'did not take the message for now'
    const { reply } = verdict
    if (!reply) return unreachableFor(`The mail relay ${what}.`)
    const diagnosis = { status: temporary(reply), diagnosticCode: `smtp; ${codeOf(reply)}` }
    return { kind: 'unavailable', message: `The mail relay ${what} (${codeOf(reply)}).`, diagnosis, isReachable: true }
  }
  const { accepted, refused, response } = verdict
  // If no recipient has the message, one that was refused temporarily is not tried again: it bounces with the others.
  const isOpen = (one: Refused) => !one.permanent && accepted.length > 0
  const facts = refused.flatMap((one) => (isOpen(one) ? [] : bounceOf(message, one)))
  const open = refused.flatMap((one) => (isOpen(one) ? deferredOf(one) : []))
  return { kind: 'answered', accepted, facts, response, open }
}

/** The recipients that the relay refused before the message have their answer, so only the others share the loss. */
function answerOfLost(
  message: OutboundMessage,
  { lost, refused }: Extract<Verdict, { kind: 'unknown' }>,
  answer: Extract<EmailAnswer, { kind: 'unknown' }>,
): EmailAnswer {
  if (refused.length === 0) return answer
  const facts = refused.flatMap((one) => (one.permanent ? bounceOf(message, one) : []))
  const open = [
    ...lost.map((recipient) => openRecipient(recipient, answer)),
    ...refused.flatMap((one) => (one.permanent ? [] : deferredOf(one))),
  ]
  return { kind: 'answered', accepted: [], facts, response: null, open }
}

function bounceOf(message: OutboundMessage, { address, reply, status, permanent, blamed }: Refused): DeliveryFact {
  const diagnosis = { permanent, blamed, ...diagnosisOf(reply, status) }
  const data = bounceNotification(message, address, diagnosis, message.at)
  return { type: 'bounced', recipient: address, permanent, suppress: blamed, data }
}

/** Returns the outcome for a recipient that is tried again while others have the message, or may have it. */
function deferredOf({ address, reply }: Refused): RecipientOutcome {
  const diagnosis = diagnosisOf(reply, temporary(reply))
  return { recipient: address, result: 'deferred', blamed: false, diagnosis, peer: null }
}

function diagnosisOf(reply: Reply, status: string) {
  return { status, diagnosticCode: `smtp; ${formatReply(reply)}` }
}

/** Returns the reply's enhanced code if it is temporary, else 4.0.0: a reply about the session may be permanent. */
function temporary({ enhanced }: Reply): string {
  return enhanced?.startsWith('4') ? enhanced : '4.0.0'
}

function codeOf({ code, enhanced }: Reply): string {
  return enhanced ? `${code} ${enhanced}` : String(code)
}
